import { type HealthStatus, type IndexMetadata, indexHealth, isTrue, OPEN_AND_CLOSED } from '@shoal/state';
import { makeInTurns, takeTurns } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { dateFormat, UTC } from '@shoal/values';
import type { CommonStats } from '../admin/empty-stats.js';
import { groupBy } from '../admin/group-by.js';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { sumStats } from '../admin/sum-stats.js';
import { bytes } from './cell.js';
import { pairedStatsColumns } from './stats-columns.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly meta: IndexMetadata;
  readonly health: HealthStatus | null;
  /** Null for closed indices. */
  readonly all: CommonStats | null;
  readonly primaries: CommonStats | null;
}

function memory(stats: CommonStats | null): number | null {
  if (!stats) return null;
  return (
    stats.query_cache.memory_size_in_bytes +
    stats.fielddata.memory_size_in_bytes +
    stats.request_cache.memory_size_in_bytes +
    stats.segments.memory_in_bytes +
    stats.segments.index_writer_memory_in_bytes +
    stats.segments.version_map_memory_in_bytes
  );
}

const created = (row: Row): number => Number(row.meta.settings['index.creation_date']);

const columns: readonly Column<Row>[] = [
  column('health', 'h', 'current health status', 'default', (row) => row.health),
  column('status', 's', 'open/close status', 'default', (row) => row.meta.state),
  column('index', 'i,idx', 'index name', 'default', (row) => row.meta.name),
  column('uuid', 'id,uuid', 'index uuid', 'default', (row) => row.meta.uuid),
  column(
    'pri',
    'p,shards.primary,shardsPrimary',
    'number of primary shards',
    'default right',
    (row) => row.meta.numberOfShards,
  ),
  column(
    'rep',
    'r,shards.replica,shardsReplica',
    'number of replica shards',
    'default right',
    (row) => row.meta.numberOfReplicas,
  ),
  column('docs.count', 'dc,docsCount', 'available docs', 'default right', (row) => row.primaries?.docs.count ?? null),
  column(
    'docs.deleted',
    'dd,docsDeleted',
    'deleted docs',
    'default right',
    (row) => row.primaries?.docs.deleted ?? null,
  ),
  column('creation.date', 'cd', 'index creation date (millisecond value)', '', created),
  column('creation.date.string', 'cds', 'index creation date (as string)', '', (row) =>
    dateFormat('strict_date_time').print(created(row), UTC),
  ),
  column('store.size', 'ss,storeSize', 'store size of primaries & replicas', 'default right', (row) =>
    bytes(row.all?.store.size_in_bytes),
  ),
  column('pri.store.size', '', 'store size of primaries', 'default right', (row) =>
    bytes(row.primaries?.store.size_in_bytes),
  ),
  column('dataset.size', '', 'total size of dataset', 'default right', (row) =>
    bytes(row.primaries?.store.total_data_set_size_in_bytes),
  ),
  ...pairedStatsColumns<Row>(
    (row) => row.all,
    (row) => row.primaries,
  ),
  column('memory.total', 'tm,memoryTotal', 'total used memory', 'right', (row) => bytes(memory(row.all))),
  column('pri.memory.total', '', 'total user memory', 'right', (row) => bytes(memory(row.primaries))),
  column('search.throttled', 'sth', 'indicates if the index is search throttled', '', (row) =>
    isTrue(row.meta.settings, 'index.search.throttled'),
  ),
];

function parseHealth(text: string | null): string | null {
  if (text === null) return null;
  const status = text.toLowerCase();
  if (!['green', 'yellow', 'red'].includes(status))
    throw errors.illegalArgument(`unknown cluster health status [${text}]`);
  return status;
}

export const routes = catRoutes<Row>({
  name: 'indices',
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  privilege: 'indices:monitor/stats',
  also: ['indices:monitor/settings/get', 'cluster:monitor/state', 'cluster:monitor/health'],
  parameters: [...INDICES_PARAMETERS, 'health', 'include_unloaded_segments'],
  columns,
  async rows(request, services) {
    const metas = selectIndices(request, services, OPEN_AND_CLOSED);
    const { shards } = await broadcastStats(
      services,
      metas.filter((meta) => meta.state === 'open'),
    );
    const byIndex = groupBy(shards, (row) => row.indexUuid);
    const wanted = parseHealth(request.params.text('health'));
    const onlyPrimaries = request.params.boolean('pri', false);
    const rowOf = (meta: IndexMetadata): Row => {
      const own = byIndex.get(meta.uuid) ?? [];
      const ofPrimaries = own.filter((row) => row.primary);
      const primaries = meta.state === 'open' ? sumStats(ofPrimaries.map((row) => row.raw)) : null;
      const isSame = meta.state !== 'open' || onlyPrimaries || ofPrimaries.length === own.length;
      const all = isSame ? primaries : sumStats(own.map((row) => row.raw));
      return { meta, health: indexHealth(services.cluster.state(), meta).status, all, primaries };
    };
    const rows = await makeInTurns(metas, rowOf, takeTurns(services.clock, request.signal));
    return rows.filter((row) => wanted === null || row.health === wanted);
  },
});
