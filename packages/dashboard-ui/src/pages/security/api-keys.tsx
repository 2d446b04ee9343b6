import { useState } from 'preact/hooks';
import { clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { clock } from '../../state/browser-clock.js';
import { copyText } from '../../state/save-file.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog } from '../../widgets/dialog.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';

/** A key as the cluster answers it. */
interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly creation: number;
  readonly expiration?: number;
  readonly invalidated: boolean;
}

/** A key that was just created: the only time that it is shown. */
interface CreatedKey {
  readonly name: string;
  readonly encoded: string;
}

type KeyDialog = { readonly create: true } | { readonly created: CreatedKey } | { readonly invalidate: ApiKey };

const instant = (at: number | undefined): string => (at === undefined ? 'never' : new Date(at).toISOString());

function statusOf({ invalidated, expiration }: ApiKey): string {
  if (invalidated) return 'invalidated';
  return expiration !== undefined && expiration < clock.now() ? 'expired' : 'active';
}

/** Keys that the user may see. */
export function ApiKeys() {
  const list = useCall('/_security/api_key');
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({ create: true })}>
          Create API key
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="API keys"
            rows={((json ?? {}) as { api_keys?: readonly ApiKey[] }).api_keys ?? []}
            keyOf={({ id }) => id}
            empty="There is no key yet."
            columns={[
              { name: 'Name', show: ({ name }) => name, sort: ({ name }) => name },
              { name: 'Owner', show: ({ username }) => username, sort: ({ username }) => username },
              { name: 'Created', show: ({ creation }) => instant(creation), sort: ({ creation }) => creation },
              { name: 'Expires', show: ({ expiration }) => instant(expiration) },
              { name: 'Status', show: statusOf, sort: statusOf },
              {
                name: 'Actions',
                show: (key) =>
                  !key.invalidated && (
                    <button
                      type="button"
                      aria-label={`Invalidate ${key.name}`}
                      onClick={() => setDialog({ invalidate: key })}
                    >
                      Invalidate
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {dialog !== null && 'create' in dialog && (
        <CreateKey
          close={close}
          onDone={(created) => {
            list.again();
            setDialog({ created });
          }}
        />
      )}
      {dialog !== null && 'created' in dialog && <ShownKey created={dialog.created} onClose={close} />}
      {dialog !== null && 'invalidate' in dialog && (
        <ConfirmDelete
          name={dialog.invalidate.name}
          lost="Who uses the key is refused from then on."
          call={`DELETE /_security/api_key\n{"ids":["${dialog.invalidate.id}"]}`}
          run={() => clusterCall('DELETE', '/_security/api_key', { body: { ids: [dialog.invalidate.id] } })}
          onClose={close}
          onDone={list.again}
        />
      )}
    </>
  );
}

/** Props of the dialog. */
interface CreateKeyProps {
  readonly close: () => void;
  readonly onDone: (created: CreatedKey) => void;
}

function CreateKey({ close, onDone }: CreateKeyProps) {
  return (
    <FormDialog
      title="Create API key"
      does="Create"
      onClose={close}
      onDone={({ json }) => onDone(json as CreatedKey)}
      run={(form) => {
        const expiration = String(form.get('expiration')).trim();
        const body = { name: form.get('name'), ...(expiration === '' ? {} : { expiration }) };
        return clusterCall('POST', '/_security/api_key', { body });
      }}
    >
      <TextField label="Name" name="name" isRequired isFirst />
      <TextField label="Expires in" name="expiration" />
      <p>Such as 30d or 12h; empty: never. The key may do what you may.</p>
    </FormDialog>
  );
}

function ShownKey({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const copy = async (): Promise<void> => {
    message.value = (await copyText(created.encoded)) ? 'Copied.' : 'The browser refuses to copy.';
  };
  return (
    <Dialog title={`API key ${created.name}`} onClose={onClose} isModalOnly>
      <p>It is shown once. Send it as “Authorization: ApiKey …”.</p>
      <label class="field">
        Key
        <input readOnly value={created.encoded} />
      </label>
      <div class="row">
        <button type="button" class="primary" onClick={() => void copy()}>
          Copy key
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
