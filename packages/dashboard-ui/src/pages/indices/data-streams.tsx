import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { goTo } from '../../state/router.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { type Column, DataTable } from '../../widgets/data-table.js';
import { FormDialog, TextField } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import { Menu } from '../../widgets/menu.js';
import { inPath } from './index-rows.js';

/** A data stream as the cluster answers it. */
interface DataStream {
  readonly name: string;
  readonly status: string;
  readonly template?: string;
  readonly generation: number;
  readonly indices: readonly { readonly index_name: string }[];
  readonly ilm_policy?: string;
  readonly lifecycle?: { readonly enabled?: boolean; readonly data_retention?: string };
  readonly next_generation_managed_by?: string;
}

type StreamDialog = { readonly retention: DataStream } | { readonly remove: string };

const pathOf = (name: string): string => `/_data_stream/${inPath(name)}`;

function keptFor({ lifecycle, ilm_policy: policy }: DataStream): string {
  if (lifecycle !== undefined && lifecycle.enabled !== false) return lifecycle.data_retention ?? 'for ever';
  return policy === undefined ? 'for ever' : `as ${policy} says`;
}

/** Data streams: what ages them, and how long they are kept. */
export function DataStreams() {
  const list = useCall('/_data_stream');
  const [dialog, setDialog] = useState<StreamDialog | null>(null);
  const rollOver = async (name: string): Promise<void> => {
    const answer = await clusterCall('POST', `/${inPath(name)}/_rollover`);
    const { new_index: made } = (answer.json ?? {}) as { readonly new_index?: string };
    message.value = answer.status === 200 ? `${name} writes to ${made} now.` : reasonOf(answer);
    list.again();
  };
  return (
    <>
      <Loaded call={list}>
        {({ json }) => (
          <DataTable
            caption="Data streams"
            rows={((json ?? {}) as { readonly data_streams?: readonly DataStream[] }).data_streams ?? []}
            keyOf={({ name }) => name}
            empty="There is no data stream yet: a template with data_stream makes one with the first document."
            columns={columnsOf(rollOver, setDialog)}
          />
        )}
      </Loaded>
      {dialog !== null && <Dialogs dialog={dialog} close={() => setDialog(null)} again={list.again} />}
    </>
  );
}

function columnsOf(
  rollOver: (name: string) => Promise<void>,
  onDialog: (dialog: StreamDialog) => void,
): readonly Column<DataStream>[] {
  return [
    { name: 'Name', show: ({ name }) => name, sort: ({ name }) => name },
    {
      name: 'Status',
      show: ({ status }) => <span class={`health health-${status.toLowerCase()}`}>{status.toLowerCase()}</span>,
    },
    { name: 'Indices', show: ({ indices }) => indices.length, sort: ({ indices }) => indices.length, isNumber: true },
    { name: 'Template', show: ({ template }) => template ?? '–' },
    { name: 'Managed by', show: (row) => row.next_generation_managed_by ?? row.ilm_policy ?? '–' },
    { name: 'Kept', show: keptFor },
    {
      name: 'Actions',
      show: (stream) => (
        <Menu
          label={`Actions for ${stream.name}`}
          shown="Actions"
          items={[
            {
              name: 'Search in Discover',
              act: () => goTo(`/app/discover?${new URLSearchParams({ i: stream.name })}`),
            },
            { name: 'Roll over', act: () => void rollOver(stream.name) },
            { name: 'Change retention', act: () => onDialog({ retention: stream }) },
            { name: 'Delete', act: () => onDialog({ remove: stream.name }) },
          ]}
        />
      ),
    },
  ];
}

/** Props of the dialogs. */
interface DialogsProps {
  readonly dialog: StreamDialog;
  readonly close: () => void;
  readonly again: () => void;
}

function Dialogs({ dialog, close, again }: DialogsProps) {
  if ('remove' in dialog)
    return (
      <ConfirmDelete
        name={dialog.remove}
        lost="Its indices and their documents are lost."
        call={`DELETE ${pathOf(dialog.remove)}`}
        run={() => clusterCall('DELETE', pathOf(dialog.remove))}
        onClose={close}
        onDone={again}
      />
    );
  const { name, lifecycle, ilm_policy: policy } = dialog.retention;
  return (
    <FormDialog
      title={`Retention of ${name}`}
      does="Save"
      onClose={close}
      onDone={again}
      run={(form) => {
        const kept = String(form.get('kept') ?? '').trim();
        return clusterCall('PUT', `${pathOf(name)}/_lifecycle`, { body: kept === '' ? {} : { data_retention: kept } });
      }}
    >
      <p>
        Data older than this are deleted, an index at a time. Empty keeps them for ever.
        {policy !== undefined && ` The policy ${policy} goes before it as long as indices prefer policies.`}
      </p>
      <TextField label="Keep data for" name="kept" value={lifecycle?.data_retention ?? ''} isFirst />
    </FormDialog>
  );
}
