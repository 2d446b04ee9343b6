import { useEffect, useRef, useState } from 'preact/hooks';
import { formatRequest } from '../../console-language/format-request.js';
import { parseConsole } from '../../console-language/parse-console.js';
import { asCurl, chosenRequests, sentRequest } from '../../console-language/request-text.js';
import { clock } from '../../state/browser-clock.js';
import { formatAmount } from '../../state/format.js';
import { goTo, place } from '../../state/router.js';
import { copyText, saveFile } from '../../state/save-file.js';
import { boot, message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { ClusterNames } from './cluster-names.js';
import { type AnswerView, createAnswerView, createRequestEditor, type RequestEditor } from './code-editor.js';
import { HistoryDialog, NewFileDialog, VariablesDialog } from './console-dialogs.js';
import { createFile, forgetFile, removeFile, SCRATCH } from './console-files.js';
import { addToHistory } from './request-history.js';
import { answerText, type RunRequest, runRequests, statusText } from './run-requests.js';
import { shownPart } from './shown-answer.js';
import { type ConsoleFileState, useConsoleFile } from './use-console-file.js';
import { variables } from './variable-store.js';

type DialogName = 'history' | 'variables' | 'new' | 'delete' | null;

/** The console: requests in an editor, and their answers beside. */
export function Page() {
  const [dialog, setDialog] = useState<DialogName>(null);
  const [problems, setProblems] = useState(0);
  const parts = useRef<Parts | null>(null);
  const id = place.value.query.get('file') ?? SCRATCH;
  const files = useConsoleFile(
    id,
    () => parts.current?.editor.text() ?? '',
    (text) => parts.current?.editor.load(text),
  );
  const { runs, isCut, running, run } = useRuns(parts);
  const events = useRef({ run, changed: files.changed });
  events.current = { run, changed: files.changed };
  const mount = (made: Parts): void => void (parts.current = made);
  useAppended(files, parts);
  useEffect(() => parts.current?.editor.mark(), [variables.value]);
  return (
    <>
      <h1 tabIndex={-1}>Console</h1>
      <FileBar files={files} id={id} onDialog={setDialog} />
      <FileProblem files={files} />
      <div class="console">
        <Editors mount={mount} events={events} onProblems={setProblems} />
        <div class="row console-run">
          <button type="button" class="primary" disabled={running !== null} onClick={() => void run()}>
            Run
          </button>
          {running !== null && (
            <button type="button" onClick={() => running.abort()}>
              Stop
            </button>
          )}
          <button type="button" onClick={() => void copyAsCurl(parts.current!.editor)}>
            Copy as curl
          </button>
          <button type="button" onClick={() => format(parts.current!.editor)}>
            Format
          </button>
          <span role="status" aria-label="Problems">
            {problems === 0 ? 'No problems' : formatAmount(problems, 'problem', 'problems')}
          </span>
        </div>
        <AnswerBar runs={runs} isRunning={running !== null} isCut={isCut} />
      </div>
      <Dialogs dialog={dialog} close={() => setDialog(null)} files={files} id={id} parts={parts} />
    </>
  );
}

/** The two editors. */
interface Parts {
  readonly editor: RequestEditor;
  readonly answer: AnswerView;
}

/** Runs what is chosen in the editor, and shows the answers. */
function useRuns(parts: { readonly current: Parts | null }) {
  const [runs, setRuns] = useState<readonly RunRequest[]>([]);
  const [isCut, setCut] = useState(false);
  const [running, setRunning] = useState<AbortController | null>(null);
  const run = async (): Promise<void> => {
    const { editor, answer } = parts.current!;
    const text = editor.text();
    const abort = new AbortController();
    setRunning(abort);
    const done: RunRequest[] = [];
    try {
      const { from, to } = editor.view.state.selection.main;
      for await (const one of runRequests(parseConsole(text), text, { from, to }, variables.value, abort.signal)) {
        done.push(one);
        addToHistory({ at: clock.now(), text: one.text, status: one.answer.status });
      }
      if (done.length === 0) message.value = 'There is no request here.';
    } catch {
      message.value = 'Stopped.';
    }
    setRunning(null);
    if (done.length === 0) return;
    setRuns(done);
    const part = shownPart(answerText(done));
    setCut(part.isCut);
    answer.show(part.text);
    if (editor.text() === text) editor.showErrors(done.flatMap(({ problem }) => (problem === null ? [] : [problem])));
  };
  return { runs, isCut, running, run };
}

/** Props of the dialogs. */
interface DialogsProps {
  readonly dialog: DialogName;
  readonly close: () => void;
  readonly files: ConsoleFileState;
  readonly id: string;
  readonly parts: { readonly current: { readonly editor: RequestEditor } | null };
}

function Dialogs({ dialog, close, files, id, parts }: DialogsProps) {
  return (
    <>
      {dialog === 'history' && (
        <HistoryDialog onClose={close} onChoose={(text) => parts.current!.editor.append(text)} />
      )}
      {dialog === 'variables' && <VariablesDialog onClose={close} />}
      {dialog === 'new' && (
        <NewFileDialog
          onClose={close}
          create={createFile}
          onDone={(made) => {
            files.reload();
            goTo(`/app/console?file=${encodeURIComponent(made)}`);
          }}
        />
      )}
      {dialog === 'delete' && files.file?.id === id && (
        <ConfirmDelete
          name={files.file.title}
          lost="Its requests are lost."
          call={`DELETE /api/saved_objects/console-file/${id}`}
          run={() => removeFile(id)}
          onClose={close}
          onDone={() => {
            forgetFile(id);
            files.reload();
            goTo('/app/console');
          }}
        />
      )}
    </>
  );
}

/** A request of the address is appended once the file is open, and leaves the address. */
function useAppended(files: ConsoleFileState, parts: { readonly current: { editor: RequestEditor } | null }): void {
  const request = place.value.query.get('request');
  useEffect(() => {
    if (request === null || files.file === null) return;
    parts.current?.editor.append(request.trim());
    files.changed();
    const query = new URLSearchParams(place.value.query);
    query.delete('request');
    goTo(query.size === 0 ? '/app/console' : `/app/console?${query}`, true);
  }, [request, files.file]);
}

/** Props of the two editors. */
interface EditorsProps {
  readonly mount: (parts: Parts) => void;
  readonly events: { readonly current: { readonly run: () => Promise<void>; readonly changed: () => void } };
  readonly onProblems: (count: number) => void;
}

function Editors({ mount, events, onProblems }: EditorsProps) {
  const left = useRef<HTMLDivElement>(null);
  const right = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = createRequestEditor(left.current!, new ClusterNames(), {
      onRun: () => void events.current.run(),
      onChange: () => events.current.changed(),
      onProblems,
      variables: () => variables.value,
    });
    const answer = createAnswerView(right.current!);
    mount({ editor, answer });
    return () => {
      editor.view.destroy();
      answer.view.destroy();
    };
  }, []);
  return (
    <>
      <div ref={left} class="console-editor" />
      <div ref={right} class="console-editor console-answer" />
    </>
  );
}

/** Props of the bar of files. */
interface FileBarProps {
  readonly files: ConsoleFileState;
  readonly id: string;
  readonly onDialog: (name: DialogName) => void;
}

function FileBar({ files, id, onDialog }: FileBarProps) {
  return (
    <div class="row console-files">
      <label class="check">
        File
        <select
          value={id}
          onChange={(event) => {
            const { value } = event.currentTarget;
            goTo(value === SCRATCH ? '/app/console' : `/app/console?file=${encodeURIComponent(value)}`);
          }}
        >
          {files.files.map((file) => (
            <option key={file.id} value={file.id}>
              {file.title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => onDialog('new')}>
        New file
      </button>
      {id !== SCRATCH && files.file?.id === id && (
        <button type="button" onClick={() => onDialog('delete')}>
          Delete file
        </button>
      )}
      <span class="space" />
      <button type="button" onClick={() => onDialog('history')}>
        History
      </button>
      <button type="button" onClick={() => onDialog('variables')}>
        Variables
      </button>
    </div>
  );
}

function FileProblem({ files }: { readonly files: ConsoleFileState }) {
  if (files.hasConflict)
    return (
      <div role="alert" class="problem">
        <p>Somebody else changed this file since it was opened. What is typed here is kept in this browser.</p>
        <div class="row">
          <button type="button" onClick={() => void files.settle(true)}>
            Keep mine
          </button>
          <button type="button" onClick={() => void files.settle(false)}>
            Take theirs
          </button>
        </div>
      </div>
    );
  if (files.problem === '') return null;
  return (
    <p role="alert" class="problem">
      {files.problem}
    </p>
  );
}

/** Props of what is told of the answers. */
interface AnswerBarProps {
  readonly runs: readonly RunRequest[];
  readonly isRunning: boolean;
  /** Whether a part is shown alone. */
  readonly isCut: boolean;
}

function AnswerBar({ runs, isRunning, isCut }: AnswerBarProps) {
  const last = runs.at(-1)?.answer;
  const save = (): void => {
    const type = last!.contentType || 'text/plain';
    const name = type.includes('json') ? 'answer.json' : 'answer.txt';
    saveFile(name, runs.length === 1 ? last!.bytes : answerText(runs), type);
  };
  return (
    <div class="row console-status">
      <span role="status" aria-label="Answer status">
        {isRunning ? 'Running' : statusText(runs)}
      </span>
      {last !== undefined && last.bytes.length > 0 && (
        <button type="button" onClick={save}>
          Save answer
        </button>
      )}
      {isCut && <span>Not all is shown; the file has all.</span>}
    </div>
  );
}

/** Puts the chosen requests into the clipboard as commands of a shell. */
async function copyAsCurl(editor: RequestEditor): Promise<void> {
  const text = editor.text();
  const { from, to } = editor.view.state.selection.main;
  const chosen = chosenRequests(parseConsole(text).requests, from, to);
  const commands = chosen.map((request) => asCurl(sentRequest(request, text, variables.value), boot.username));
  const isCopied = commands.length > 0 && (await copyText(commands.join('\n\n')));
  message.value = isCopied
    ? 'Copied.'
    : commands.length === 0
      ? 'There is no request here.'
      : 'The browser refuses to copy.';
}

function format(editor: RequestEditor): void {
  const text = editor.text();
  const { from, to } = editor.view.state.selection.main;
  const chosen = chosenRequests(parseConsole(text).requests, from, to);
  editor.view.dispatch({ changes: chosen.flatMap((request) => [...formatRequest(request, text)]) });
}
