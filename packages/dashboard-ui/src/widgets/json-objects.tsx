import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { clusterCall } from '../request/own-call.js';
import { useCall } from '../request/use-call.js';
import { message } from '../state/session.js';
import { ConfirmDelete } from './confirm-delete.js';
import { type Column, DataTable } from './data-table.js';
import { Dialog } from './dialog.js';
import { FormDialog, TextField } from './form-dialog.js';
import type { ListedObject } from './listed-objects.js';
import { Loaded } from './loaded.js';

/** Props of a list of objects by name that are written as JSON: roles, templates, policies. */
interface JsonObjectsProps {
  /** Name of the table. */
  readonly name: string;
  /** Word for one of them. */
  readonly one: string;
  /** Path of all; one is below it. */
  readonly path: string;
  readonly read: (answer: string) => readonly ListedObject[];
  readonly example: string;
  /** What is lost with one, a sentence. */
  readonly lost: string;
  readonly columns: readonly Column<ListedObject>[];
  /** Shows what a definition does, before it is saved and after. */
  readonly preview?: { readonly does: string; readonly show: (name: string, definition: string) => ComponentChildren };
  /** More buttons of the list. */
  readonly listActions?: (objects: readonly ListedObject[]) => ComponentChildren;
  /** More buttons of a row. */
  readonly actions?: (object: ListedObject, again: () => void) => ComponentChildren;
}

type ObjectDialog =
  | { readonly edit: string; readonly text: string }
  | { readonly remove: string }
  | { readonly preview: ListedObject };

/** Objects by name with their definitions; reserved ones are looked at alone. */
export function JsonObjects(props: JsonObjectsProps) {
  const { name, one, path, read, example, columns, actions, preview, listActions } = props;
  const list = useCall(path);
  const [dialog, setDialog] = useState<ObjectDialog | null>(null);
  const buttons = (object: ListedObject): ComponentChildren => (
    <span class="row">
      {actions?.(object, list.again)}
      {preview !== undefined && (
        <button
          type="button"
          aria-label={`${preview.does} ${object.id}`}
          onClick={() => setDialog({ preview: object })}
        >
          {preview.does}
        </button>
      )}
      {object.isReserved ? (
        'reserved'
      ) : (
        <>
          <button
            type="button"
            aria-label={`Edit ${object.id}`}
            onClick={() => setDialog({ edit: object.id, text: object.text })}
          >
            Edit
          </button>
          <button type="button" aria-label={`Delete ${object.id}`} onClick={() => setDialog({ remove: object.id })}>
            Delete
          </button>
        </>
      )}
    </span>
  );
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({ edit: '', text: example })}>
          {`Create ${one}`}
        </button>
        {list.answer !== null && listActions?.(read(list.answer.text))}
      </div>
      <Loaded call={list}>
        {({ text }) => (
          <DataTable
            caption={name}
            rows={read(text)}
            keyOf={({ id }) => id}
            empty={`There is no ${one} yet.`}
            columns={[
              { name: 'Name', show: ({ id }) => id, sort: ({ id }) => id },
              ...columns,
              { name: 'Actions', show: buttons },
            ]}
          />
        )}
      </Loaded>
      {dialog !== null && <Dialogs {...props} dialog={dialog} close={() => setDialog(null)} again={list.again} />}
    </>
  );
}

/** Props of the dialogs. */
interface DialogsProps extends Pick<JsonObjectsProps, 'one' | 'path' | 'lost' | 'preview'> {
  readonly dialog: ObjectDialog;
  readonly close: () => void;
  readonly again: () => void;
}

/** Props of the form. */
interface EditDialogProps extends Omit<DialogsProps, 'dialog'> {
  readonly dialog: Extract<ObjectDialog, { readonly edit: string }>;
}

function Dialogs(props: DialogsProps) {
  const { dialog, path, lost, preview, close, again } = props;
  if ('preview' in dialog)
    return (
      <Dialog title={`${preview!.does} ${dialog.preview.id}`} onClose={close}>
        {preview!.show(dialog.preview.id, dialog.preview.text)}
        <div class="row">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </Dialog>
    );
  if ('remove' in dialog) {
    const target = `${path}/${encodeURIComponent(dialog.remove)}`;
    return (
      <ConfirmDelete
        name={dialog.remove}
        lost={lost}
        call={`DELETE ${target}`}
        run={() => clusterCall('DELETE', target)}
        onClose={close}
        onDone={again}
      />
    );
  }
  return <EditDialog {...props} dialog={dialog} />;
}

function EditDialog({ dialog, one, path, preview, close, again }: EditDialogProps) {
  const [text, setText] = useState(dialog.text);
  const [isShown, setShown] = useState(false);
  return (
    <FormDialog
      title={dialog.edit === '' ? `Create ${one}` : `Edit ${dialog.edit}`}
      does={dialog.edit === '' ? 'Create' : 'Save'}
      run={(form) => {
        const target = dialog.edit || String(form.get('name'));
        return clusterCall('PUT', `${path}/${encodeURIComponent(target)}`, { body: String(form.get('definition')) });
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
        <textarea
          name="definition"
          class="code"
          rows={12}
          required
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {preview !== undefined && (
        <div class="row">
          <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {preview.does}
          </button>
        </div>
      )}
      {isShown && preview?.show(dialog.edit, text)}
    </FormDialog>
  );
}
