import { useFollowed } from '../../request/use-followed.js';
import { DataTable } from '../../widgets/data-table.js';
import { restoredShards } from './progress.js';

const READ_MS = 2_000;

/** What is being restored now, and how far it is; nothing while nothing is. */
export function Restores() {
  const { answer } = useFollowed('/_recovery?active_only=true', READ_MS);
  const shards = restoredShards(answer?.json);
  if (shards.length === 0) return null;
  return (
    <DataTable
      caption="Restores that run"
      rows={shards}
      keyOf={({ index, shard, node }) => `${index} ${shard} ${node}`}
      empty=""
      columns={[
        { name: 'Index', show: ({ index }) => index, sort: ({ index }) => index },
        { name: 'Shard', show: ({ shard }) => shard, isNumber: true },
        { name: 'Node', show: ({ node }) => node },
        {
          name: 'Restored',
          show: ({ index, shard, percent }) => (
            <>
              <progress max={100} value={percent} aria-label={`${index} ${shard}`} /> {Math.floor(percent)} %
            </>
          ),
        },
      ]}
    />
  );
}
