import { useEffect, useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../request/own-call.js';
import { goTo } from '../state/router.js';
import { message } from '../state/session.js';
import { Dialog } from '../widgets/dialog.js';
import { presentValuesPath, type Remedy, settingChanges, type SettingChange } from './remedy.js';

/** Props of the dialog. */
interface FixDialogProps {
  readonly title?: string;
  readonly remedies: readonly Remedy[];
  readonly onClose: () => void;
  /** Called after a call was made. */
  readonly onDone: () => void;
}

const textOf = ({ method, path, body }: Remedy): string =>
  `${method} ${path}${body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}`}`;

/** Shows exactly the call that mends a cause, with the values before and after, and makes it when it is told to. */
export function FixDialog({ title = 'Show the fix', remedies, onClose, onDone }: FixDialogProps) {
  const [chosen, setChosen] = useState(0);
  const [changes, setChanges] = useState<readonly SettingChange[]>([]);
  const [problem, setProblem] = useState('');
  const [answer, setAnswer] = useState('');
  const [isBusy, setBusy] = useState(false);
  const remedy = remedies[chosen]!;
  useEffect(() => {
    setChanges([]);
    const path = presentValuesPath(remedy);
    if (path === null) return;
    const abort = new AbortController();
    clusterCall('GET', path, { signal: abort.signal }).then(
      ({ status, json }) => setChanges(status === 200 ? settingChanges(remedy, json) : []),
      () => undefined,
    );
    return () => abort.abort();
  }, [chosen]);
  const run = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    const { method, path, body } = remedy;
    const result = await clusterCall(method, path, { body });
    setBusy(false);
    if (result.status === 0 || result.status >= 300) return setProblem(reasonOf(result));
    if (method === 'GET') return setAnswer(result.text);
    message.value = `Done: ${remedy.does}.`;
    onDone();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {remedies.length > 1 && (
        <fieldset>
          <legend>Ways to mend it, the best first</legend>
          {remedies.map((one, i) => (
            <label key={i} class="check">
              <input type="radio" name="remedy" checked={i === chosen} onChange={() => setChosen(i)} /> {one.does}
            </label>
          ))}
        </fieldset>
      )}
      {remedies.length === 1 && <p>{remedy.does}</p>}
      <pre tabIndex={0} aria-label="Call">
        {textOf(remedy)}
      </pre>
      {changes.length > 0 && <Changes changes={changes} />}
      {answer !== '' && (
        <pre tabIndex={0} aria-label="Answer">
          {answer}
        </pre>
      )}
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <div class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
          Run it
        </button>
        <OpenInConsole request={textOf(remedy)} onClose={onClose} />
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

function OpenInConsole({ request, onClose }: { readonly request: string; readonly onClose: () => void }) {
  const open = (): void => {
    onClose();
    goTo(`/app/console?${new URLSearchParams({ request })}`);
  };
  return (
    <button type="button" onClick={open}>
      Open in console
    </button>
  );
}

function Changes({ changes }: { readonly changes: readonly SettingChange[] }) {
  return (
    <table>
      <caption>What changes</caption>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, present, next }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{present}</td>
            <td>{next}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
