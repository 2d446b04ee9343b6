import { prettyJson, rawAt, rawMembers } from '@shoal/values';
import { useState } from 'preact/hooks';
import { clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';

type Definition = Readonly<Record<string, unknown>>;

/** Props of a list of roles or role mappings: objects by name that are written as JSON. */
interface JsonObjectsProps {
  /** Name of the table. */
  readonly name: string;
  /** Word for one of them. */
  readonly one: string;
  readonly path: string;
  readonly example: string;
  /** Members that have a column. */
  readonly columns: readonly string[];
}

type ObjectDialog = { readonly edit: string; readonly text: string } | { readonly remove: string };

const isReserved = ({ metadata }: Definition): boolean =>
  (metadata as { _reserved?: unknown } | undefined)?._reserved === true;
const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Objects by name with their definitions; reserved ones are looked at alone. */
export function JsonObjects({ name, one, path, example, columns }: JsonObjectsProps) {
  const list = useCall(path);
  const [dialog, setDialog] = useState<ObjectDialog | null>(null);
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({ edit: '', text: example })}>
          {`Create ${one}`}
        </button>
      </div>
      <Loaded call={list}>
        {({ json, text }) => (
          <DataTable
            caption={name}
            rows={Object.entries((json ?? {}) as Record<string, Definition>)}
            keyOf={([id]) => id}
            empty={`There is no ${one} yet.`}
            columns={[
              { name: 'Name', show: ([id]) => id, sort: ([id]) => id },
              ...columns.map((column) => ({
                name: column,
                show: ([, definition]: readonly [string, Definition]) => shown(definition[column]).slice(0, 300),
              })),
              {
                name: 'Actions',
                show: ([id, definition]) =>
                  isReserved(definition) ? (
                    'reserved'
                  ) : (
                    <span class="row">
                      <button
                        type="button"
                        aria-label={`Edit ${id}`}
                        onClick={() => setDialog({ edit: id, text: editable(text, id) })}
                      >
                        Edit
                      </button>
                      <button type="button" aria-label={`Delete ${id}`} onClick={() => setDialog({ remove: id })}>
                        Delete
                      </button>
                    </span>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {dialog !== null && (
        <Dialogs dialog={dialog} one={one} path={path} close={() => setDialog(null)} again={list.again} />
      )}
    </>
  );
}

/** Props of the dialogs. */
interface DialogsProps {
  readonly dialog: ObjectDialog;
  readonly one: string;
  readonly path: string;
  readonly close: () => void;
  readonly again: () => void;
}

function Dialogs({ dialog, one, path, close, again }: DialogsProps) {
  return (
    <>
      {'remove' in dialog && (
        <ConfirmDelete
          name={dialog.remove}
          lost={`Who has the ${one} loses what it grants.`}
          call={`DELETE ${path}/${encodeURIComponent(dialog.remove)}`}
          run={() => clusterCall('DELETE', `${path}/${encodeURIComponent(dialog.remove)}`)}
          onClose={close}
          onDone={again}
        />
      )}
      {'edit' in dialog && (
        <FormDialog
          title={dialog.edit === '' ? `Create ${one}` : `Edit ${dialog.edit}`}
          does={dialog.edit === '' ? 'Create' : 'Save'}
          run={(form) => {
            const target = dialog.edit || String(form.get('name'));
            return clusterCall('PUT', `${path}/${encodeURIComponent(target)}`, {
              body: String(form.get('definition')),
            });
          }}
          onClose={close}
          onDone={() => {
            message.value = `The ${one} was saved.`;
            again();
          }}
        >
          {dialog.edit === '' && <TextField label="Name" name="name" isRequired isFirst />}
          <label>
            Definition
            <textarea name="definition" class="code" rows={12} required spellcheck={false} defaultValue={dialog.text} />
          </label>
        </FormDialog>
      )}
    </>
  );
}

/** The definition of a name in the text of an answer, as it may be sent back: numbers keep their digits. */
function editable(answer: string, name: string): string {
  const text = rawAt(answer, [name]) ?? '{}';
  const members = rawMembers(text)
    .filter(({ key }) => key !== 'transient_metadata')
    .map(({ key, from, to }) => `${JSON.stringify(key)}:${text.slice(from, to)}`);
  return prettyJson(`{${members.join(',')}}`);
}
