import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { message } from '../../state/session.js';
import { Dialog } from '../../widgets/dialog.js';
import { inPath } from './index-rows.js';

/** Asks for a name and numbers, and makes the index. A refused one keeps what was typed. */
export function CreateIndex({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(form.get('name'));
    const body = {
      settings: {
        number_of_shards: Number(form.get('shards')),
        number_of_replicas: Number(form.get('replicas')),
      },
    };
    const made = await clusterCall('PUT', `/${inPath(name)}`, { body });
    if (made.status !== 200) return setProblem(reasonOf(made));
    message.value = `The index ${name} was created.`;
    onDone();
    onClose();
  };
  return (
    <Dialog title="Create index" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
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
          Primary shards
          <input name="shards" type="number" min={1} max={1024} required defaultValue="1" />
        </label>
        <label>
          Replicas
          <input name="replicas" type="number" min={0} required defaultValue="1" />
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
