import { DYNAMIC_CLUSTER_PREFIXES, DYNAMIC_CLUSTER_SETTINGS } from '../../generated/dynamic-settings.js';
import { reasonOf } from '../../request/own-call.js';
import { useReadings } from '../../request/use-readings.js';
import { Failure } from '../../widgets/failure.js';
import { useCall } from '../../request/use-call.js';
import { formatRate, formatTime } from '../../state/format.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { SettingTable } from '../../widgets/setting-table.js';
import { Tabs } from '../../widgets/tabs.js';
import { catColumns, type CatHeads, type CatRow } from './cat-columns.js';
import { Nodes } from './nodes.js';
import { Shards } from './shards.js';
import { Tasks } from './tasks.js';
import { eventsOf } from './time-line.js';

const READ_MS = 1_000;

/** The cluster behind the indices: nodes, copies, what happened, what runs. */
export function Page() {
  return (
    <>
      <h1 tabIndex={-1}>Cluster</h1>
      <Tabs
        label="Parts of the cluster"
        tabs={[
          { id: 'nodes', name: 'Nodes', show: () => <Nodes /> },
          { id: 'shards', name: 'Shards', show: () => <Shards /> },
          { id: 'time-line', name: 'Time line', show: () => <TimeLine /> },
          {
            id: 'allocation',
            name: 'Allocation',
            show: () => <Cat name="Allocation" path="/_cat/allocation" heads={ALLOCATION_COLUMNS} />,
          },
          { id: 'tasks', name: 'Tasks', show: () => <Tasks /> },
          {
            id: 'pending',
            name: 'Pending tasks',
            show: () => <Cat name="Pending tasks" path="/_cat/pending_tasks" heads={PENDING_COLUMNS} />,
          },
          { id: 'hot-threads', name: 'Hot threads', show: () => <HotThreads /> },
          { id: 'settings', name: 'Settings', show: () => <Settings /> },
        ]}
      />
    </>
  );
}

const ALLOCATION_COLUMNS: CatHeads = {
  node: 'Node',
  host: 'Address',
  shards: 'Shards',
  'disk.indices': 'Of indices',
  'disk.used': 'Disk used',
  'disk.avail': 'Disk free',
  'disk.total': 'Disk',
  'disk.percent': 'Disk %',
};

const PENDING_COLUMNS: CatHeads = {
  insertOrder: 'Order',
  timeInQueue: 'Waits for',
  priority: 'Priority',
  source: 'What',
};

/** A table of `_cat`: the columns that are asked for, with what is written above each. */
function Cat({ name, path, heads }: { readonly name: string; readonly path: string; readonly heads: CatHeads }) {
  const rows = useCall(`${path}?format=json&h=${Object.keys(heads).join()}`);
  return (
    <Loaded call={rows}>
      {({ json }) => {
        const all = (json ?? []) as readonly CatRow[];
        return (
          <DataTable<{ readonly row: CatRow; readonly i: number }>
            caption={name}
            rows={all.map((row, i) => ({ row, i }))}
            keyOf={({ i }) => String(i)}
            empty="There is nothing to show."
            columns={catColumns(all, heads).map(({ key, head, isNumber }) => ({
              name: head,
              isNumber,
              show: ({ row }) => row[key] ?? '–',
              sort: ({ row }) => (isNumber ? Number(row[key] ?? -1) : (row[key] ?? '')),
            }))}
          />
        );
      }}
    </Loaded>
  );
}

/** The last 15 minutes, each second while this is open: what a failover is watched with. */
function TimeLine() {
  const { readings, refusal, failure, again } = useReadings(READ_MS);
  if (refusal !== null) return <p class="bar">{reasonOf(refusal)}</p>;
  const told = failure !== null && <Failure answer={failure} request="GET /api/home" again={again} />;
  if (readings === null) return told || <p aria-busy="true">Loading</p>;
  return (
    <>
      {told}
      <h2>What changed</h2>
      <DataTable
        caption="Changes of the last 15 minutes"
        rows={eventsOf(readings)}
        keyOf={({ at, what }) => `${at} ${what}`}
        empty="Nothing changed in the last 15 minutes."
        columns={[
          { name: 'At', show: ({ at }) => formatTime(at) },
          { name: 'What', show: ({ what }) => what },
        ]}
      />
      <h2>Readings</h2>
      <DataTable
        caption="Readings, the newest first"
        rows={readings.toReversed()}
        keyOf={({ at }) => String(at)}
        empty="There is no reading yet."
        columns={[
          { name: 'Time', show: ({ at }) => formatTime(at) },
          { name: 'Status', show: ({ status }) => <span class={`health health-${status}`}>{status}</span> },
          { name: 'Master', show: ({ master }) => master ?? 'nobody' },
          { name: 'Nodes', show: ({ nodes }) => nodes.length, isNumber: true },
          { name: 'Without a node', show: ({ shards }) => shards.unassigned, isNumber: true },
          { name: 'Indexed a second', show: ({ indexedPerSecond: rate }) => formatRate(rate), isNumber: true },
          { name: 'Searches a second', show: ({ searchesPerSecond: rate }) => formatRate(rate), isNumber: true },
        ]}
      />
    </>
  );
}

function HotThreads() {
  const threads = useCall('/_nodes/hot_threads');
  return (
    <Loaded call={threads}>
      {({ text }) => (
        <pre tabIndex={0} aria-label="Hot threads of the nodes">
          {text}
        </pre>
      )}
    </Loaded>
  );
}

type Groups = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Settings of the cluster and their defaults; those that may be changed while it runs are changed for good. */
function Settings() {
  const settings = useCall('/_cluster/settings?flat_settings=true&include_defaults=true');
  return (
    <Loaded call={settings}>
      {({ json }) => (
        <SettingTable
          caption="Settings of the cluster"
          settings={Object.entries((json ?? {}) as Groups).flatMap(([from, group]) =>
            Object.entries(group).map(([name, value]) => ({ from, name, value })),
          )}
          changeable={DYNAMIC_CLUSTER_SETTINGS}
          changeablePrefixes={DYNAMIC_CLUSTER_PREFIXES}
          path="/_cluster/settings"
          bodyOf={(name, value) => ({ persistent: { [name]: value } })}
          again={settings.again}
        />
      )}
    </Loaded>
  );
}
