import { useState } from 'preact/hooks';
import { useCall } from '../../request/use-call.js';
import { useFollowed } from '../../request/use-followed.js';
import { DataTable } from '../../widgets/data-table.js';
import { Loaded } from '../../widgets/loaded.js';
import { FixDialog } from '../../why/fix-dialog.js';
import { catColumns, type CatHeads, type CatRow } from './cat-columns.js';
import { type ClusterSettings, drainCall, drainedNodes, drainState } from './draining.js';

const READ_MS = 5_000;

/** Columns of the nodes, and the names that people know them by. */
const HEADS: CatHeads = {
  name: 'Name',
  ip: 'Address',
  'node.role': 'Roles',
  master: 'Master',
  'shard_stats.total_count': 'Shards',
  cpu: 'CPU %',
  'ram.percent': 'Memory %',
  'heap.percent': 'Heap %',
  'disk.used_percent': 'Disk %',
  load_1m: 'Load, 1 min',
  uptime: 'Uptime',
};

const shardsOf = (row: CatRow): number => Number(row['shard_stats.total_count'] ?? 0);

/** The nodes, every few seconds anew; each can be emptied before it is taken away. */
export function Nodes() {
  const nodes = useFollowed(`/_cat/nodes?format=json&s=name&h=${Object.keys(HEADS).join()}`, READ_MS);
  const settings = useCall('/_cluster/settings?flat_settings=true');
  const [node, setNode] = useState<string | null>(null);
  const known = settings.answer === null ? null : ((settings.answer.json ?? {}) as ClusterSettings);
  const drained = known === null ? [] : drainedNodes(known);
  return (
    <>
      <Loaded call={nodes}>
        {({ json }) => {
          const rows = (json ?? []) as readonly CatRow[];
          return (
            <DataTable<CatRow>
              caption="Nodes"
              rows={rows}
              keyOf={(row) => row['name'] ?? ''}
              empty="There is nothing to show."
              columns={[
                ...catColumns(rows, HEADS).map(({ key, head, isNumber }) => ({
                  name: head,
                  isNumber,
                  show: (row: CatRow) => row[key] ?? '–',
                  sort: (row: CatRow) => (isNumber ? Number(row[key] ?? -1) : (row[key] ?? '')),
                })),
                ...(known === null ? [] : [drainColumn(drained, setNode)]),
              ]}
            />
          );
        }}
      </Loaded>
      {node !== null && known !== null && (
        <FixDialog
          title={`${drained.includes(node) ? 'Stop draining' : 'Drain'} ${node}`}
          remedies={[drainCall(known, node)]}
          onClose={() => setNode(null)}
          onDone={() => {
            settings.again();
            nodes.again();
          }}
        />
      )}
    </>
  );
}

function drainColumn(drained: readonly string[], choose: (node: string) => void) {
  return {
    name: 'Drain',
    show: (row: CatRow) => {
      const name = row['name'] ?? '';
      const isDrained = drained.includes(name);
      return (
        <span class="row">
          {drainState(isDrained, shardsOf(row))}
          <button
            type="button"
            aria-label={`${isDrained ? 'Stop draining' : 'Drain'} ${name}`}
            onClick={() => choose(name)}
          >
            {isDrained ? 'Stop' : 'Drain'}
          </button>
        </span>
      );
    },
  };
}
