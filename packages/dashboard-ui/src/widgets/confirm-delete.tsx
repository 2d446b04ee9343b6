import { useState } from 'preact/hooks';
import { type Answer, reasonOf } from '../request/own-call.js';
import { Dialog } from './dialog.js';

/** Props of the dialog. */
interface ConfirmDeleteProps {
  /** What is deleted; the title is `Delete <name>`. */
  readonly name: string;
  /** A sentence about what is lost. */
  readonly lost: string;
  /** The call as it is made: `DELETE /a`. */
  readonly call: string;
  readonly run: () => Promise<Answer>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows the call that deletes something, and makes it once the name was typed. */
export function ConfirmDelete({ name, lost, call, run, onClose, onDone }: ConfirmDeleteProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (typed !== name) return;
    const done = await run();
    if (done.status < 200 || done.status > 299) return setProblem(reasonOf(done));
    onDone();
    onClose();
  };
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        <p>{lost} The call:</p>
        <pre>{call}</pre>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          {`Type ${name} to confirm`}
          <input
            value={typed}
            autofocus
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit" class="primary" disabled={typed !== name}>
            Delete
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
