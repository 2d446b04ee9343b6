import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { message } from '../../state/session.js';
import { Dialog } from '../../widgets/dialog.js';
import { inPath } from './index-rows.js';

/** Props of the dialog. */
interface DeleteIndexProps {
  readonly index: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows the call, and makes it once the name was typed. */
export function DeleteIndex({ index, onClose, onDone }: DeleteIndexProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const path = `/${inPath(index)}`;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (typed !== index) return;
    const gone = await clusterCall('DELETE', path);
    if (gone.status !== 200) return setProblem(reasonOf(gone));
    message.value = `The index ${index} was deleted.`;
    onDone();
    onClose();
  };
  return (
    <Dialog title={`Delete ${index}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        <p>All its documents are lost. The call:</p>
        <pre>{`DELETE ${path}`}</pre>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          {`Type ${index} to confirm`}
          <input
            value={typed}
            autofocus
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit" class="primary" disabled={typed !== index}>
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
