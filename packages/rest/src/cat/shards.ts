import {
  type ClusterState,
  type IndexMetadata,
  isRelocationTarget,
  type NodeInfo,
  OPEN_AND_CLOSED,
  type ShardRouting,
} from '@shoal/state';
import { dateFormat, UTC } from '@shoal/values';
import { groupBy } from '../admin/group-by.js';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { broadcastStats, type ShardStatsRow } from '../admin/shard-stats.js';
import { bytes, millis } from './cell.js';
import { statsColumns } from './stats-columns.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly meta: IndexMetadata;
  readonly copy: ShardRouting;
  readonly node: NodeInfo | null;
  /** Target node of a relocation. */
  readonly target: NodeInfo | null;
  readonly stats: ShardStatsRow | null;
  readonly nowMs: number;
}

function seqNo(row: Row, name: string): number | null {
  const numbers = row.stats?.raw['seq_no'] as Record<string, number> | undefined;
  return numbers?.[name] ?? null;
}

function path(row: Row, name: string): string | null {
  const paths = row.stats?.raw['shard_path'] as Record<string, string> | undefined;
  return paths?.[name] ?? null;
}

function recoverySource(row: Row): string | null {
  return row.copy.recoverySource?.toLowerCase() ?? null;
}

const LEFT_OUT = new Set([
  'query_cache.hit_count',
  'query_cache.miss_count',
  'request_cache.memory_size',
  'request_cache.evictions',
  'request_cache.hit_count',
  'request_cache.miss_count',
  'suggest.current',
  'suggest.time',
  'suggest.total',
]);

/** Name of the node; for a relocating copy with its target. */
function nodeName({ node, target }: Row): string | null {
  if (!node) return null;
  return target ? `${node.name} -> ${target.ip} ${target.id} ${target.name}` : node.name;
}

const columns: readonly Column<Row>[] = [
  column('index', 'i,idx', 'index name', 'default', (row) => row.meta.name),
  column('shard', 's,sh', 'shard name', 'default', (row) => row.copy.shard),
  column('prirep', 'p,pr,primaryOrReplica', 'primary or replica', 'default', (row) => (row.copy.primary ? 'p' : 'r')),
  column('state', 'st', 'shard state', 'default', (row) => row.copy.state),
  column('docs', 'd,dc', 'number of docs in shard', 'default right', (row) => row.stats?.stats.docs.count ?? null),
  column('store', 'sto', 'store size of shard (how much disk it uses)', 'default right', (row) =>
    bytes(row.stats?.stats.store.size_in_bytes),
  ),
  column('dataset', '', 'total size of dataset', 'default right', (row) =>
    bytes(row.stats?.stats.store.total_data_set_size_in_bytes),
  ),
  column('ip', '', 'ip of node where it lives', 'default', (row) => row.node?.ip ?? null),
  column('id', '', 'unique id of node where it lives', '', (row) => row.node?.id ?? null),
  column('node', 'n', 'name of node where it lives', 'default', nodeName),
  column('sync_id', 'sync_id', 'sync id', '', () => null),
  column('unassigned.reason', 'ur', 'reason shard became unassigned', '', (row) => row.copy.unassigned?.reason ?? null),
  column('unassigned.at', 'ua', 'time shard became unassigned (UTC)', '', (row) =>
    row.copy.unassigned ? dateFormat('strict_date_time').print(row.copy.unassigned.atMs, UTC) : null,
  ),
  column('unassigned.for', 'uf', 'time has been unassigned', 'right', (row) =>
    millis(row.copy.unassigned ? row.nowMs - row.copy.unassigned.atMs : null),
  ),
  column(
    'unassigned.details',
    'ud',
    'additional details as to why the shard became unassigned',
    '',
    (row) => row.copy.unassigned?.details ?? null,
  ),
  column('recoverysource.type', 'rs', 'recovery source type', '', recoverySource),
  ...statsColumns<Row>((row) => row.stats?.stats ?? null, LEFT_OUT),
  column('seq_no.max', 'sqm,maxSeqNo', 'max sequence number', 'right', (row) => seqNo(row, 'max_seq_no')),
  column('seq_no.local_checkpoint', 'sql,localCheckpoint', 'local checkpoint', 'right', (row) =>
    seqNo(row, 'local_checkpoint'),
  ),
  column('seq_no.global_checkpoint', 'sqg,globalCheckpoint', 'global checkpoint', 'right', (row) =>
    seqNo(row, 'global_checkpoint'),
  ),
  column('path.data', 'pd,dataPath', 'shard data path', 'right', (row) => path(row, 'data_path')),
  column('path.state', 'ps,statsPath', 'shard state path', 'right', (row) => path(row, 'state_path')),
];

function copiesOf(state: ClusterState, meta: IndexMetadata): ShardRouting[] {
  return (state.routing.get(meta.uuid) ?? []).flat().filter((copy) => !isRelocationTarget(copy));
}

export const routes = catRoutes<Row>({
  name: 'shards',
  paths: ['/_cat/shards', '/_cat/shards/{index}'],
  refuses: ['local'],
  privilege: 'indices:monitor/stats',
  also: ['cluster:monitor/state'],
  parameters: INDICES_PARAMETERS,
  columns,
  async rows(request, services) {
    const state = services.cluster.state();
    const metas = selectIndices(request, services, { ...OPEN_AND_CLOSED, expandHidden: true });
    const { shards } = await broadcastStats(services, metas);
    const byIndex = groupBy(shards, (row) => row.indexUuid);
    const nowMs = services.clock.now();
    return metas.flatMap((meta) =>
      copiesOf(state, meta).map((copy): Row => {
        const stats =
          byIndex.get(meta.uuid)?.find((row) => row.shard === copy.shard && row.nodeId === copy.nodeId) ?? null;
        return {
          meta,
          copy,
          node: state.nodes.get(copy.nodeId ?? '') ?? null,
          target: state.nodes.get(copy.relocatingNodeId ?? '') ?? null,
          stats,
          nowMs,
        };
      }),
    );
  },
});
