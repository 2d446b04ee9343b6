import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';

/** A repository as the cluster answers it. */
interface Repository {
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

const pathOf = (name: string): string => `/_snapshot/${encodeURIComponent(name)}`;

/** Places that snapshots are kept in. */
export function Repositories() {
  const list = useCall('/_snapshot');
  const [dialog, setDialog] = useState<{ readonly deleted?: string } | null>(null);
  const verify = async (name: string): Promise<void> => {
    const answer = await clusterCall('POST', `${pathOf(name)}/_verify`);
    const nodes = Object.keys(((answer.json ?? {}) as { nodes?: object }).nodes ?? {}).length;
    message.value = answer.status === 200 ? `${name}: ${nodes} nodes reach it.` : reasonOf(answer);
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({})}>
          Register repository
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="Repositories"
            rows={Object.entries((json ?? {}) as Record<string, Repository>)}
            keyOf={([name]) => name}
            empty="There is no repository yet. Snapshots are kept in one."
            columns={[
              { name: 'Name', show: ([name]) => name, sort: ([name]) => name },
              { name: 'Type', show: ([, { type }]) => type },
              { name: 'Settings', show: ([, { settings }]) => JSON.stringify(settings) },
              {
                name: 'Actions',
                show: ([name]) => (
                  <span class="row">
                    <button type="button" aria-label={`Verify ${name}`} onClick={() => void verify(name)}>
                      Verify
                    </button>
                    <button type="button" aria-label={`Delete ${name}`} onClick={() => setDialog({ deleted: name })}>
                      Delete
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {dialog !== null && dialog.deleted === undefined && (
        <RegisterDialog close={() => setDialog(null)} again={list.again} />
      )}
      {dialog?.deleted !== undefined && (
        <ConfirmDelete
          name={dialog.deleted}
          lost="The cluster forgets the repository; its files stay."
          call={`DELETE ${pathOf(dialog.deleted)}`}
          run={() => clusterCall('DELETE', pathOf(dialog.deleted!))}
          onClose={() => setDialog(null)}
          onDone={list.again}
        />
      )}
    </>
  );
}

function RegisterDialog({ close, again }: { readonly close: () => void; readonly again: () => void }) {
  return (
    <FormDialog
      title="Register repository"
      does="Register"
      onClose={close}
      onDone={again}
      run={(form) =>
        clusterCall('PUT', pathOf(String(form.get('name'))), {
          body: { type: form.get('type'), settings: { [PLACES[String(form.get('type'))]!]: form.get('location') } },
        })
      }
    >
      <TextField label="Name" name="name" isRequired isFirst />
      <label>
        Type
        <select name="type">
          <option value="fs">fs: a folder that all nodes share (path.repo)</option>
          <option value="url">url: read only</option>
        </select>
      </label>
      <TextField label="Location" name="location" isRequired />
    </FormDialog>
  );
}

/** The setting of a type that names its place. */
const PLACES: Readonly<Record<string, string>> = { fs: 'location', url: 'url' };
