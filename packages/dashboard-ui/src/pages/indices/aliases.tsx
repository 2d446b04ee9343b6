import { prettyJson } from '@shoal/values';
import { useState } from 'preact/hooks';
import { useIndexNames } from '../../explore/recent-indices.js';
import { clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { addressOf } from '../../state/router.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { type Column, DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/form-dialog.js';
import { ListInput } from '../../widgets/list-input.js';
import { Loaded } from '../../widgets/loaded.js';
import { type AliasForm, type AliasRow, formOf, readAliases, removedAlias, savedAlias } from './alias-actions.js';
import { inPath } from './index-rows.js';

const NEW: AliasForm = {
  alias: '',
  indices: [],
  filter: '',
  indexRouting: '',
  searchRouting: '',
  isWriteIndex: false,
  isHidden: false,
};

type AliasDialog = { readonly edit: AliasForm; readonly isNew: boolean } | { readonly remove: AliasRow };

const callOf = (body: string): string => `POST /_aliases\n${prettyJson(body)}`;
const send = (body: string) => clusterCall('POST', '/_aliases', { body });

/** Aliases of indices and data streams: made, changed and taken away by the call that is shown. */
export function Aliases() {
  const list = useCall('/_alias/*?expand_wildcards=all');
  const [dialog, setDialog] = useState<AliasDialog | null>(null);
  const rows = list.answer === null ? [] : readAliases(list.answer.text);
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setDialog({ edit: NEW, isNew: true })}>
          Create alias
        </button>
      </div>
      <Loaded call={list}>
        {() => (
          <DataTable
            caption="Aliases"
            rows={rows}
            keyOf={({ alias, index }) => `${alias} ${index}`}
            empty="There are no aliases yet."
            columns={columnsOf(setDialog)}
          />
        )}
      </Loaded>
      {dialog !== null && 'remove' in dialog && (
        <ConfirmDelete
          name={dialog.remove.alias}
          lost={`${dialog.remove.index} is not found by this name any more; its documents stay.`}
          call={callOf(removedAlias(dialog.remove))}
          run={() => send(removedAlias(dialog.remove))}
          onClose={() => setDialog(null)}
          onDone={list.again}
        />
      )}
      {dialog !== null && 'edit' in dialog && (
        <EditAlias {...dialog} rows={rows} onClose={() => setDialog(null)} onDone={list.again} />
      )}
    </>
  );
}

function columnsOf(onDialog: (dialog: AliasDialog) => void): readonly Column<AliasRow>[] {
  const routing = ({ indexRouting, searchRouting }: AliasRow): string =>
    [...new Set([indexRouting, searchRouting])].filter((one) => one !== null).join('; ');
  return [
    { name: 'Alias', show: ({ alias }) => alias, sort: ({ alias }) => alias },
    {
      name: 'Index',
      show: ({ index }) => <a href={addressOf(`/app/indices/${inPath(index)}`)}>{index}</a>,
      sort: ({ index }) => index,
    },
    { name: 'Filter', show: ({ filter }) => (filter === null ? 'no' : 'yes') },
    { name: 'Writes', show: ({ isWriteIndex }) => (isWriteIndex === true ? 'here' : '') },
    { name: 'Routing', show: routing },
    {
      name: 'Actions',
      show: (row) => (
        <span class="row">
          <button
            type="button"
            aria-label={`Edit ${row.alias} of ${row.index}`}
            onClick={() => onDialog({ edit: formOf(row), isNew: false })}
          >
            Edit
          </button>
          <button
            type="button"
            aria-label={`Delete ${row.alias} of ${row.index}`}
            onClick={() => onDialog({ remove: row })}
          >
            Delete
          </button>
        </span>
      ),
    },
  ];
}

/** Why a form cannot be sent; empty if it can. */
function problemOf({ alias, indices, filter }: AliasForm): string {
  if (alias === '' || indices.length === 0) return 'Name the alias and at least one index.';
  try {
    if (filter.trim() !== '') JSON.parse(filter);
    return '';
  } catch {
    return 'The filter is no JSON.';
  }
}

/** Props of the dialog. */
interface EditAliasProps {
  readonly edit: AliasForm;
  readonly isNew: boolean;
  readonly rows: readonly AliasRow[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EditAlias({ edit, isNew, rows, onClose, onDone }: EditAliasProps) {
  const [form, setForm] = useState(edit);
  const names = useIndexNames() ?? [];
  const change = (part: Partial<AliasForm>): void => setForm({ ...form, ...part });
  const problem = problemOf(form);
  const text = (label: string, member: 'alias' | 'indexRouting' | 'searchRouting') => (
    <label>
      {label}
      <input
        value={form[member]}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => change({ [member]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <FormDialog
      title={isNew ? 'Create alias' : `Edit ${edit.alias} of ${edit.indices[0]}`}
      does={isNew ? 'Create' : 'Save'}
      run={() => (problem === '' ? send(savedAlias(form, rows)) : Promise.resolve(problem))}
      onClose={onClose}
      onDone={() => {
        message.value = `The alias ${form.alias} was saved.`;
        onDone();
      }}
    >
      {isNew && text('Name', 'alias')}
      {isNew && (
        <ListInput label="Indices" values={form.indices} offered={names} onChange={(indices) => change({ indices })} />
      )}
      <label>
        Filter, a query as JSON
        <textarea
          class="code"
          rows={4}
          spellcheck={false}
          value={form.filter}
          onInput={(event) => change({ filter: event.currentTarget.value })}
        />
      </label>
      {text('Routing of documents', 'indexRouting')}
      {text('Routing of searches', 'searchRouting')}
      <label class="check">
        <input
          type="checkbox"
          checked={form.isWriteIndex}
          onChange={() => change({ isWriteIndex: !form.isWriteIndex })}
        />
        Documents for the alias are written here
      </label>
      <label class="check">
        <input type="checkbox" checked={form.isHidden} onChange={() => change({ isHidden: !form.isHidden })} />
        Patterns do not find it
      </label>
      {problem === '' && (
        <pre tabIndex={0} aria-label="Call">
          {callOf(savedAlias(form, rows))}
        </pre>
      )}
    </FormDialog>
  );
}
