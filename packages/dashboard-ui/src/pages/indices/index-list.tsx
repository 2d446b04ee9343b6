import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatBytes, formatCount } from '../../state/format.js';
import { addressOf, goTo, place } from '../../state/router.js';
import { message } from '../../state/session.js';
import { type Column, DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { Menu } from '../../widgets/menu.js';
import { CreateIndex } from './create-index.js';
import { DeleteIndex } from './delete-index.js';
import { ManyIndices } from './many-indices.js';
import { type IndexRow, inPath, shownIndices } from './index-rows.js';

const LIST =
  '/_cat/indices?format=json&bytes=b&s=index&expand_wildcards=all' +
  '&h=health,status,index,pri,rep,docs.count,store.size';

/** Calls on one index by the name of the menu item. */
const CALLS: readonly (readonly [name: string, end: string])[] = [
  ['Refresh', '_refresh'],
  ['Flush', '_flush'],
  ['Force merge', '_forcemerge'],
];

/** Keeps what is typed in the address, without a step for Back at each letter. */
function keep(name: string, value: string): void {
  const query = new URLSearchParams(place.value.query);
  if (value === '') query.delete(name);
  else query.set(name, value);
  goTo(query.size === 0 ? '/app/indices' : `/app/indices?${query}`, true);
}

/** All indices with what can be done to each. */
export function IndexList() {
  const list = useCall(LIST);
  const [dialog, setDialog] = useState<{ readonly deleted?: string } | null>(null);
  const { query } = place.value;
  const [text, hasHidden] = [query.get('q') ?? '', query.get('hidden') === 'true'];
  const act = async (name: string, index: string, end: string): Promise<void> => {
    const done = await clusterCall('POST', `/${inPath(index)}/${end}`);
    message.value = done.status === 200 ? `${name}: ${index}` : reasonOf(done);
    list.again();
  };
  return (
    <>
      <div class="row">
        <label class="field">
          Filter indices
          <input type="search" value={text} onInput={(event) => keep('q', event.currentTarget.value)} />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={hasHidden}
            onChange={(event) => keep('hidden', event.currentTarget.checked ? 'true' : '')}
          />
          Show hidden
        </label>
        <button type="button" onClick={() => setDialog({})}>
          Create index
        </button>
      </div>
      <Loaded call={list}>
        {({ json }) => (
          <ListedIndices
            rows={shownIndices((json ?? []) as IndexRow[], text, hasHidden)}
            columns={columnsOf(act, (deleted) => setDialog({ deleted }))}
            empty={text === '' ? 'There are no indices yet.' : 'No index has this in its name.'}
            again={list.again}
          />
        )}
      </Loaded>
      {dialog !== null && dialog.deleted === undefined && (
        <CreateIndex onClose={() => setDialog(null)} onDone={list.again} />
      )}
      {dialog?.deleted !== undefined && (
        <DeleteIndex index={dialog.deleted} onClose={() => setDialog(null)} onDone={list.again} />
      )}
    </>
  );
}

/** Props of the table. */
interface ListedIndicesProps {
  readonly rows: readonly IndexRow[];
  readonly columns: readonly Column<IndexRow>[];
  readonly empty: string;
  readonly again: () => void;
}

/** The indices listed, each to be chosen, and what can be done to those that are. */
function ListedIndices({ rows, columns, empty, again }: ListedIndicesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (index: string): void => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    setChosen(next);
  };
  const listed = rows.map(({ index }) => index);
  return (
    <>
      {rows.length > 0 && (
        <ManyIndices
          chosen={listed.filter((index) => chosen.has(index))}
          onChoose={(names) => setChosen(new Set(names))}
          listed={listed}
          again={again}
        />
      )}
      <DataTable
        caption="Indices"
        columns={[chooseColumn(chosen, choose), ...columns]}
        heads={1}
        rows={rows}
        keyOf={({ index }) => index}
        empty={empty}
      />
    </>
  );
}

/** Chooses an index, to act on it together with others. */
function chooseColumn(chosen: ReadonlySet<string>, choose: (index: string) => void): Column<IndexRow> {
  return {
    name: 'Choose',
    show: ({ index }) => (
      <input
        type="checkbox"
        aria-label={`Choose ${index}`}
        checked={chosen.has(index)}
        onChange={() => choose(index)}
      />
    ),
  };
}

function columnsOf(
  act: (name: string, index: string, end: string) => Promise<void>,
  askToDelete: (index: string) => void,
): readonly Column<IndexRow>[] {
  const number = (value: string | null): number => Number(value ?? -1);
  return [
    {
      name: 'Name',
      show: ({ index }) => <a href={addressOf(`/app/indices/${inPath(index)}`)}>{index}</a>,
      sort: ({ index }) => index,
    },
    {
      name: 'Health',
      show: ({ health, status }) =>
        status === 'close' ? 'closed' : <span class={`health health-${health}`}>{health}</span>,
      sort: ({ health, status }) => (status === 'close' ? 'closed' : (health ?? '')),
    },
    {
      name: 'Documents',
      show: (row) => (row['docs.count'] === null ? '–' : formatCount(number(row['docs.count']))),
      sort: (row) => number(row['docs.count']),
      isNumber: true,
    },
    {
      name: 'Size',
      show: (row) => (row['store.size'] === null ? '–' : formatBytes(number(row['store.size']))),
      sort: (row) => number(row['store.size']),
      isNumber: true,
    },
    { name: 'Primaries', show: ({ pri }) => pri, isNumber: true },
    { name: 'Replicas', show: ({ rep }) => rep, isNumber: true },
    {
      name: 'Actions',
      show: ({ index, status }) => {
        const open = status !== 'close';
        const calls = open ? CALLS : [];
        const items = [...calls, open ? (['Close', '_close'] as const) : (['Open', '_open'] as const)];
        return (
          <Menu
            label={`Actions for ${index}`}
            shown="Actions"
            items={[
              {
                name: 'Search in Discover',
                act: () => goTo(`/app/discover?${new URLSearchParams({ i: index })}`),
              },
              ...items.map(([name, end]) => ({ name, act: () => void act(name, index, end) })),
              { name: 'Delete', act: () => askToDelete(index) },
            ]}
          />
        );
      },
    },
  ];
}
