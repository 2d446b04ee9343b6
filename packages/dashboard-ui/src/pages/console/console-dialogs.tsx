import { useState } from 'preact/hooks';
import { type Answer, reasonOf } from '../../request/own-call.js';
import { formatTime } from '../../state/format.js';
import { Dialog } from '../../widgets/dialog.js';
import type { HistoryEntry } from './history-entries.js';
import { clearHistory, readHistory } from './request-history.js';
import { setVariable, variables } from './variable-store.js';

/** Entries of the history that are shown at once. */
const SHOWN = 50;

/** Props of the history. */
interface HistoryProps {
  readonly onClose: () => void;
  readonly onChoose: (text: string) => void;
}

/** Requests that were run, the newest first; one that is chosen is appended to the file. */
export function HistoryDialog({ onClose, onChoose }: HistoryProps) {
  const [history, setHistory] = useState<readonly HistoryEntry[]>(readHistory);
  const [count, setCount] = useState(SHOWN);
  return (
    <Dialog title="History" onClose={onClose}>
      {history.length === 0 && <p>No request was run yet.</p>}
      <ul class="plain-list">
        {history.slice(0, count).map(({ at, text, status }, i) => (
          <li key={`${at} ${i}`} class="entry-row">
            <button
              type="button"
              class="entry"
              onClick={() => {
                onChoose(text);
                onClose();
              }}
            >
              <code>{text.split('\n', 1)[0]}</code>
            </button>
            <span class="evidence">{`${status} · ${formatTime(at)}`}</span>
          </li>
        ))}
      </ul>
      <div class="row">
        {history.length > count && (
          <button type="button" onClick={() => setCount(count + SHOWN)}>
            Show more
          </button>
        )}
        {history.length > 0 && (
          <button
            type="button"
            onClick={() => {
              clearHistory();
              setHistory([]);
            }}
          >
            Clear history
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** Variables: `${name}` in a request becomes the value. */
export function VariablesDialog({ onClose }: { readonly onClose: () => void }) {
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const wrong = setVariable(String(data.get('name')).trim(), String(data.get('value')));
    setProblem(wrong);
    if (wrong !== '') return;
    form.reset();
    (form.elements.namedItem('name') as HTMLElement).focus();
  };
  return (
    <Dialog title="Variables" onClose={onClose}>
      <p>{'${name} in a path or a body becomes the value.'}</p>
      {variables.value.size > 0 && (
        <table>
          <caption>Variables that are set</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Remove</th>
            </tr>
          </thead>
          <tbody>
            {[...variables.value].map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>
                  <button
                    type="button"
                    aria-label={`Remove ${name}`}
                    onClick={() => setProblem(setVariable(name, null))}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          Name
          <input name="name" required autofocus autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Value
          <input name="value" autocomplete="off" spellcheck={false} />
        </label>
        <div class="row">
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Props of the dialog for a new file. */
interface NewFileProps {
  readonly onClose: () => void;
  readonly create: (title: string) => Promise<Answer>;
  readonly onDone: (id: string) => void;
}

/** Asks for the name of a file and creates it in the cluster. */
export function NewFileDialog({ onClose, create, onDone }: NewFileProps) {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get('title')).trim();
    const made = await create(title);
    if (made.status !== 200) return setProblem(reasonOf(made));
    onDone((made.json as { id: string }).id);
    onClose();
  };
  return (
    <Dialog title="New file" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          Title
          <input name="title" required maxLength={200} autofocus autocomplete="off" />
        </label>
        <div class="row">
          <button type="submit" class="primary">
            Create
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
