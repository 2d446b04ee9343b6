import type { CommonStats } from '../admin/empty-stats.js';
import { bytes, type Cell, millis } from './cell.js';
import { type Column, column } from './table.js';

type StatsColumn = readonly [name: string, aliases: string, description: string, read: (stats: CommonStats) => Cell];

/** Columns of shard statistics that the tables of indices, shards and nodes share. */
const STATS: readonly StatsColumn[] = [
  ['completion.size', 'cs,completionSize', 'size of completion', ({ completion }) => bytes(completion.size_in_bytes)],
  [
    'fielddata.memory_size',
    'fm,fielddataMemory',
    'used fielddata cache',
    ({ fielddata }) => bytes(fielddata.memory_size_in_bytes),
  ],
  ['fielddata.evictions', 'fe,fielddataEvictions', 'fielddata evictions', ({ fielddata }) => fielddata.evictions],
  [
    'query_cache.memory_size',
    'qcm,queryCacheMemory',
    'used query cache',
    ({ query_cache }) => bytes(query_cache.memory_size_in_bytes),
  ],
  [
    'query_cache.evictions',
    'qce,queryCacheEvictions',
    'query cache evictions',
    ({ query_cache }) => query_cache.evictions,
  ],
  [
    'query_cache.hit_count',
    'qchc,queryCacheHitCount',
    'query cache hit counts',
    ({ query_cache }) => query_cache.hit_count,
  ],
  [
    'query_cache.miss_count',
    'qcmc,queryCacheMissCount',
    'query cache miss counts',
    ({ query_cache }) => query_cache.miss_count,
  ],
  [
    'request_cache.memory_size',
    'rcm,requestCacheMemory',
    'used request cache',
    ({ request_cache }) => bytes(request_cache.memory_size_in_bytes),
  ],
  [
    'request_cache.evictions',
    'rce,requestCacheEvictions',
    'request cache evictions',
    ({ request_cache }) => request_cache.evictions,
  ],
  [
    'request_cache.hit_count',
    'rchc,requestCacheHitCount',
    'request cache hit count',
    ({ request_cache }) => request_cache.hit_count,
  ],
  [
    'request_cache.miss_count',
    'rcmc,requestCacheMissCount',
    'request cache miss count',
    ({ request_cache }) => request_cache.miss_count,
  ],
  ['flush.total', 'ft,flushTotal', 'number of flushes', ({ flush }) => flush.total],
  ['flush.total_time', 'ftt,flushTotalTime', 'time spent in flush', ({ flush }) => millis(flush.total_time_in_millis)],
  ['get.current', 'gc,getCurrent', 'number of current get ops', ({ get }) => get.current],
  ['get.time', 'gti,getTime', 'time spent in get', ({ get }) => millis(get.time_in_millis)],
  ['get.total', 'gto,getTotal', 'number of get ops', ({ get }) => get.total],
  [
    'get.exists_time',
    'geti,getExistsTime',
    'time spent in successful gets',
    ({ get }) => millis(get.exists_time_in_millis),
  ],
  ['get.exists_total', 'geto,getExistsTotal', 'number of successful gets', ({ get }) => get.exists_total],
  [
    'get.missing_time',
    'gmti,getMissingTime',
    'time spent in failed gets',
    ({ get }) => millis(get.missing_time_in_millis),
  ],
  ['get.missing_total', 'gmto,getMissingTotal', 'number of failed gets', ({ get }) => get.missing_total],
  [
    'indexing.delete_current',
    'idc,indexingDeleteCurrent',
    'number of current deletions',
    ({ indexing }) => indexing.delete_current,
  ],
  [
    'indexing.delete_time',
    'idti,indexingDeleteTime',
    'time spent in deletions',
    ({ indexing }) => millis(indexing.delete_time_in_millis),
  ],
  [
    'indexing.delete_total',
    'idto,indexingDeleteTotal',
    'number of delete ops',
    ({ indexing }) => indexing.delete_total,
  ],
  [
    'indexing.index_current',
    'iic,indexingIndexCurrent',
    'number of current indexing ops',
    ({ indexing }) => indexing.index_current,
  ],
  [
    'indexing.index_time',
    'iiti,indexingIndexTime',
    'time spent in indexing',
    ({ indexing }) => millis(indexing.index_time_in_millis),
  ],
  ['indexing.index_total', 'iito,indexingIndexTotal', 'number of indexing ops', ({ indexing }) => indexing.index_total],
  [
    'indexing.index_failed',
    'iif,indexingIndexFailed',
    'number of failed indexing ops',
    ({ indexing }) => indexing.index_failed,
  ],
  ['merges.current', 'mc,mergesCurrent', 'number of current merges', ({ merges }) => merges.current],
  [
    'merges.current_docs',
    'mcd,mergesCurrentDocs',
    'number of current merging docs',
    ({ merges }) => merges.current_docs,
  ],
  [
    'merges.current_size',
    'mcs,mergesCurrentSize',
    'size of current merges',
    ({ merges }) => bytes(merges.current_size_in_bytes),
  ],
  ['merges.total', 'mt,mergesTotal', 'number of completed merge ops', ({ merges }) => merges.total],
  ['merges.total_docs', 'mtd,mergesTotalDocs', 'docs merged', ({ merges }) => merges.total_docs],
  ['merges.total_size', 'mts,mergesTotalSize', 'size merged', ({ merges }) => bytes(merges.total_size_in_bytes)],
  [
    'merges.total_time',
    'mtt,mergesTotalTime',
    'time spent in merges',
    ({ merges }) => millis(merges.total_time_in_millis),
  ],
  ['refresh.total', 'rto,refreshTotal', 'total refreshes', ({ refresh }) => refresh.total],
  ['refresh.time', 'rti,refreshTime', 'time spent in refreshes', ({ refresh }) => millis(refresh.total_time_in_millis)],
  ['refresh.external_total', 'rto,refreshTotal', 'total external refreshes', ({ refresh }) => refresh.external_total],
  [
    'refresh.external_time',
    'rti,refreshTime',
    'time spent in external refreshes',
    ({ refresh }) => millis(refresh.external_total_time_in_millis),
  ],
  [
    'refresh.listeners',
    'rli,refreshListeners',
    'number of pending refresh listeners',
    ({ refresh }) => refresh.listeners,
  ],
  ['search.fetch_current', 'sfc,searchFetchCurrent', 'current fetch phase ops', ({ search }) => search.fetch_current],
  [
    'search.fetch_time',
    'sfti,searchFetchTime',
    'time spent in fetch phase',
    ({ search }) => millis(search.fetch_time_in_millis),
  ],
  ['search.fetch_total', 'sfto,searchFetchTotal', 'total fetch ops', ({ search }) => search.fetch_total],
  ['search.open_contexts', 'so,searchOpenContexts', 'open search contexts', ({ search }) => search.open_contexts],
  ['search.query_current', 'sqc,searchQueryCurrent', 'current query phase ops', ({ search }) => search.query_current],
  [
    'search.query_time',
    'sqti,searchQueryTime',
    'time spent in query phase',
    ({ search }) => millis(search.query_time_in_millis),
  ],
  ['search.query_total', 'sqto,searchQueryTotal', 'total query phase ops', ({ search }) => search.query_total],
  ['search.scroll_current', 'scc,searchScrollCurrent', 'open scroll contexts', ({ search }) => search.scroll_current],
  [
    'search.scroll_time',
    'scti,searchScrollTime',
    'time scroll contexts held open',
    ({ search }) => millis(search.scroll_time_in_millis),
  ],
  ['search.scroll_total', 'scto,searchScrollTotal', 'completed scroll contexts', ({ search }) => search.scroll_total],
  ['segments.count', 'sc,segmentsCount', 'number of segments', ({ segments }) => segments.count],
  [
    'segments.memory',
    'sm,segmentsMemory',
    'memory used by segments',
    ({ segments }) => bytes(segments.memory_in_bytes),
  ],
  [
    'segments.index_writer_memory',
    'siwm,segmentsIndexWriterMemory',
    'memory used by index writer',
    ({ segments }) => bytes(segments.index_writer_memory_in_bytes),
  ],
  [
    'segments.version_map_memory',
    'svmm,segmentsVersionMapMemory',
    'memory used by version map',
    ({ segments }) => bytes(segments.version_map_memory_in_bytes),
  ],
  [
    'segments.fixed_bitset_memory',
    'sfbm,fixedBitsetMemory',
    'memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields',
    ({ segments }) => bytes(segments.fixed_bit_set_memory_in_bytes),
  ],
  ['suggest.current', 'suc,suggestCurrent', 'number of current suggest ops', ({ search }) => search.suggest_current],
  ['suggest.time', 'suti,suggestTime', 'time spend in suggest', ({ search }) => millis(search.suggest_time_in_millis)],
  ['suggest.total', 'suto,suggestTotal', 'number of suggest ops', ({ search }) => search.suggest_total],
  ['warmer.current', 'wc,warmerCurrent', 'current warmer ops', ({ warmer }) => warmer.current],
  ['warmer.total', 'wto,warmerTotal', 'total warmer ops', ({ warmer }) => warmer.total],
  [
    'warmer.total_time',
    'wtt,warmerTotalTime',
    'time spent in warmers',
    ({ warmer }) => millis(warmer.total_time_in_millis),
  ],
  ['bulk.total_operations', 'bto,bulkTotalOperation', 'number of bulk shard ops', ({ bulk }) => bulk.total_operations],
  [
    'bulk.total_time',
    'btti,bulkTotalTime',
    'time spend in shard bulk',
    ({ bulk }) => millis(bulk.total_time_in_millis),
  ],
  [
    'bulk.total_size_in_bytes',
    'btsi,bulkTotalSizeInBytes',
    'total size in bytes of shard bulk',
    ({ bulk }) => bytes(bulk.total_size_in_bytes),
  ],
  [
    'bulk.avg_time',
    'bati,bulkAvgTime',
    'average time spend in shard bulk',
    ({ bulk }) => millis(bulk.avg_time_in_millis),
  ],
  [
    'bulk.avg_size_in_bytes',
    'basi,bulkAvgSizeInBytes',
    'average size in bytes of shard bulk',
    ({ bulk }) => bytes(bulk.avg_size_in_bytes),
  ],
  [
    'dense_vector.value_count',
    'dvc,denseVectorCount',
    'total count of indexed dense vector',
    ({ dense_vector }) => dense_vector.value_count,
  ],
];

/** The shared columns. Rows without statistics have blanks. `leftOut` names columns that a table does not have. */
export function statsColumns<Row>(
  statsOf: (row: Row) => CommonStats | null,
  leftOut: ReadonlySet<string> = new Set(),
): Column<Row>[] {
  return STATS.filter(([name]) => !leftOut.has(name)).map(([name, aliases, description, read]) =>
    column(name, aliases, description, 'right', (row) => {
      const stats = statsOf(row);
      return stats ? read(stats) : null;
    }),
  );
}

/** Each shared column twice: over all copies and, with the prefix `pri.`, over primaries. */
export function pairedStatsColumns<Row>(
  all: (row: Row) => CommonStats | null,
  primaries: (row: Row) => CommonStats | null,
): Column<Row>[] {
  const total = statsColumns(all);
  const primary = statsColumns(primaries);
  return total.flatMap((one, i) => [one, { ...primary[i]!, name: `pri.${one.name}`, aliases: [] }]);
}
