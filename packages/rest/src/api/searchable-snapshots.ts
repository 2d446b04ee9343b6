import { errors } from '@shoal/errors';
import type { Json } from '@shoal/json';
import { type IndexMetadata, isMounted, isPartiallyMounted, MOUNTED, OPEN_ONLY } from '@shoal/state';
import { INDICES_PARAMETERS, pathList, selectIndices } from '../admin/index-options.js';
import { selectNodes } from '../admin/nodes.js';
import { shardsHeader } from '../admin/shard-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** What a shard copy tells of its files; null for one that has all of them. */
interface Told {
  readonly files: number;
  readonly presentFiles: number;
  readonly presentBytes: number;
  readonly reads: number;
  readonly bytesRead: number;
  readonly cache: Readonly<Record<Counter | 'bytesMax' | 'bytes' | 'files', number>> & { readonly id: string };
}

type Counter = 'reads' | 'bytesRead' | 'writes' | 'bytesWritten' | 'evictions';

interface Row {
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly told: Told | null;
}

/** Bytes of a file before it is packed, at most but for single documents that are larger. */
const FILE_BYTES = 4 << 20;

function mountedIndices(request: RestRequest, services: Services): readonly IndexMetadata[] {
  const found = selectIndices(request, services, OPEN_ONLY).filter(isMounted);
  if (found.length === 0) throw errors.resourceNotFound('No searchable snapshots indices found');
  return found;
}

function filesJson(rows: readonly Row[]): readonly Json[] {
  const told = rows.flatMap((row) => row.told ?? []);
  const sum = (of: (one: Told) => number): number => told.reduce((total, one) => total + of(one), 0);
  if (told.length === 0) return [];
  return [
    {
      file_ext: 'packed',
      num_files: sum(({ files }) => files),
      cached_files: sum(({ presentFiles }) => presentFiles),
      cached_size_in_bytes: sum(({ presentBytes }) => presentBytes),
      blob_store_reads: sum(({ reads }) => reads),
      blob_store_bytes_read_in_bytes: sum(({ bytesRead }) => bytesRead),
    },
  ];
}

function shardJson(index: IndexMetadata, row: Row): Json {
  return {
    snapshot_uuid: index.settings[MOUNTED.snapshotUuid],
    index_uuid: index.settings[MOUNTED.indexUuid],
    shard: {
      state: 'STARTED',
      primary: true,
      node: row.nodeId,
      relocating_node: null,
      shard: row.shard,
      index: index.name,
    },
    files: filesJson([row]),
  };
}

const LEVELS: readonly string[] = ['cluster', 'indices', 'shards'];

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const level = request.params.text('level', 'indices');
  if (!LEVELS.includes(level))
    throw errors.illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
    );
  const indices = mountedIndices(request, services);
  const answer = await services.coordinator.broadcast(indices, 'mounted_stats', {});
  const rows = answer.shards.map(({ body, ...row }): Row => ({ ...row, told: body as Told | null }));
  const shown = indices.map((index): [string, Json] => {
    const own = rows.filter(({ indexUuid }) => indexUuid === index.uuid).sort((a, b) => a.shard - b.shard);
    const shards = Object.fromEntries(own.map((row) => [String(row.shard), [shardJson(index, row)]]));
    return [index.name, { total: filesJson(own), ...(level === 'shards' ? { shards } : {}) }];
  });
  const json = {
    _shards: shardsHeader(answer),
    total: filesJson(rows),
    ...(level === 'cluster' ? {} : { indices: Object.fromEntries(shown) }),
  };
  return { status: 200, json };
}

async function clear(request: RestRequest, services: Services): Promise<RestResponse> {
  const indices = mountedIndices(request, services);
  return {
    status: 200,
    json: { _shards: shardsHeader(await services.coordinator.broadcast(indices, 'clear_mounted', {})) },
  };
}

/** The caches of the threads of a node, together. */
function cacheJson(caches: readonly Told['cache'][]): Json {
  const sum = (name: Counter | 'bytesMax'): number => caches.reduce((total, cache) => total + cache[name], 0);
  return {
    shared_cache: {
      reads: sum('reads'),
      bytes_read_in_bytes: sum('bytesRead'),
      writes: sum('writes'),
      bytes_written_in_bytes: sum('bytesWritten'),
      evictions: sum('evictions'),
      num_regions: Math.floor(sum('bytesMax') / FILE_BYTES),
      size_in_bytes: sum('bytesMax'),
      region_size_in_bytes: caches.length === 0 ? 0 : FILE_BYTES,
    },
  };
}

/** Statistics of the caches of nodes that have mounted copies; those of other nodes are empty. */
async function cacheStats(request: RestRequest, services: Services): Promise<RestResponse> {
  const state = services.cluster.state();
  const partial = [...state.indices.values()].filter((index) => isPartiallyMounted(index) && index.state === 'open');
  const answer = await services.coordinator.broadcast(partial, 'mounted_stats', {});
  const nodes = selectNodes(services, pathList(request, 'node_id')).map(({ id }): [string, Json] => {
    const own = answer.shards.flatMap(({ nodeId, body }) => (nodeId === id ? ((body as Told | null) ?? []) : []));
    return [id, cacheJson([...new Map(own.map(({ cache }) => [cache.id, cache])).values()])];
  });
  return { status: 200, json: { nodes: Object.fromEntries(nodes) } };
}

export const routes: readonly Route<Services>[] = [
  ...['/_searchable_snapshots/stats', '/{index}/_searchable_snapshots/stats'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'searchable_snapshots.stats',
      body: 'none',
      privilege: 'cluster:monitor/xpack/searchable_snapshots/stats',
      parameters: [...INDICES_PARAMETERS, 'level'],
      handle: stats,
    }),
  ),
  ...['/_searchable_snapshots/cache/clear', '/{index}/_searchable_snapshots/cache/clear'].map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'searchable_snapshots.clear_cache',
      body: 'none',
      privilege: 'cluster:admin/xpack/searchable_snapshots/cache/clear',
      parameters: INDICES_PARAMETERS,
      handle: clear,
    }),
  ),
  ...['/_searchable_snapshots/cache/stats', '/_searchable_snapshots/{node_id}/cache/stats'].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'searchable_snapshots.cache_stats',
      body: 'none',
      privilege: 'cluster:monitor/xpack/searchable_snapshots/cache/stats',
      parameters: ['master_timeout'],
      handle: cacheStats,
    }),
  ),
];
