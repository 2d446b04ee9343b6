import type { SegmentReader } from '@shoal/segments';
import type { Engine } from '../engine/engine.js';
import type { BoundedCache } from '../engine/searcher-cache.js';
import type { BoundedRequestCache } from '../search/request-cache.js';
import type { ShardStats } from '../shard-api.js';
import type { CallCounter, SearchCounters } from './counters.js';
import { completionStats, fielddataStats, vectorCount } from './field-bytes.js';

type Numbers = Readonly<Record<string, number>>;

/** Inputs of the statistics that are not in the engine. */
export interface StatsSources {
  readonly storeBytes: number;
  readonly openContexts: number;
  readonly refreshListeners: number;
  /** Milliseconds since the last search, or since the shard was opened. */
  readonly searchIdleMs: number;
  readonly visibleDocs: number;
  readonly cache: BoundedCache;
  readonly requestCache: BoundedRequestCache;
  /** Readers of the newest view's segments. */
  readonly readers: readonly SegmentReader[];
}

const whole = (ms: number): number => Math.round(ms);

const callNumbers = (name: string, counter: CallCounter): Numbers => ({
  [`${name}_total`]: counter.total,
  [`${name}_time_in_millis`]: whole(counter.timeMs),
  [`${name}_current`]: counter.current,
});

function docsOf(engine: Engine, visibleDocs: number): Numbers {
  const deleted = engine.sealed.reduce((sum, part) => sum + part.rootCount - part.liveRoots, 0);
  return { count: visibleDocs, deleted };
}

function indexingOf({ counters }: Engine): Record<string, unknown> {
  const { indexing, deletes } = counters;
  return {
    ...callNumbers('index', indexing),
    index_failed: indexing.failed,
    ...callNumbers('delete', deletes),
    noop_update_total: indexing.noops,
    is_throttled: false,
    throttle_time_in_millis: 0,
    write_load: 0,
  };
}

function getsOf({ counters: { gets } }: Engine): Numbers {
  return {
    total: gets.total,
    time_in_millis: whole(gets.timeMs),
    exists_total: gets.exists,
    exists_time_in_millis: whole(gets.existsTimeMs),
    missing_total: gets.missing,
    missing_time_in_millis: whole(gets.missingTimeMs),
    current: gets.current,
  };
}

function phasesOf(counters: SearchCounters): Numbers {
  return {
    ...callNumbers('query', counters.queries),
    ...callNumbers('fetch', counters.fetches),
    ...callNumbers('scroll', counters.scrolls),
    ...callNumbers('suggest', counters.suggests),
  };
}

function searchesOf({ counters }: Engine, openContexts: number): Record<string, unknown> {
  const groups = [...counters.groups].map(([name, own]) => [name, phasesOf(own)] as const);
  return {
    open_contexts: openContexts,
    ...phasesOf(counters),
    ...(groups.length > 0 ? { groups: Object.fromEntries(groups) } : {}),
  };
}

function mergesOf({ counters: { merges } }: Engine): Numbers {
  return {
    current: merges.current,
    current_docs: merges.currentDocs,
    current_size_in_bytes: merges.currentBytes,
    total: merges.total,
    total_time_in_millis: whole(merges.timeMs),
    total_docs: merges.docs,
    total_size_in_bytes: merges.bytes,
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 0,
  };
}

function segmentsOf(engine: Engine): Record<string, unknown> {
  const versions = engine.current.versions.memoryBytes + (engine.sealing?.versions.memoryBytes ?? 0);
  return {
    count: engine.sealed.length + (engine.sealing ? 1 : 0) + (engine.current.maxDoc > 0 ? 1 : 0),
    memory_in_bytes: 0,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: engine.current.byteSize + (engine.sealing?.byteSize ?? 0),
    version_map_memory_in_bytes: versions,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: {},
  };
}

function translogOf(engine: Engine): Numbers {
  const { uncommittedBytes, uncommittedOperations } = engine;
  return {
    operations: uncommittedOperations,
    size_in_bytes: uncommittedBytes,
    uncommitted_operations: uncommittedOperations,
    uncommitted_size_in_bytes: uncommittedBytes,
    earliest_last_modified_age: 0,
  };
}

function refreshesOf({ counters: { refreshes } }: Engine, listeners: number): Numbers {
  return {
    total: refreshes.total,
    total_time_in_millis: whole(refreshes.timeMs),
    external_total: refreshes.external,
    external_total_time_in_millis: whole(refreshes.externalTimeMs),
    listeners,
  };
}

function bulkOf({ counters: { bulks } }: Engine): Numbers {
  return {
    total_operations: bulks.total,
    total_time_in_millis: whole(bulks.timeMs),
    total_size_in_bytes: bulks.bytes,
    avg_time_in_millis: bulks.total === 0 ? 0 : whole(bulks.timeMs / bulks.total),
    avg_size_in_bytes: bulks.total === 0 ? 0 : whole(bulks.bytes / bulks.total),
  };
}

function commitOf(engine: Engine): Record<string, unknown> {
  const {
    commit,
    identity: { historyUuid },
  } = engine.store;
  return {
    id: Buffer.from(`${historyUuid}${commit?.generation ?? 0}`)
      .toString('base64')
      .slice(0, 24),
    generation: commit?.generation ?? 0,
    user_data: {
      local_checkpoint: String(commit?.maxSeqNo ?? -1),
      max_seq_no: String(commit?.maxSeqNo ?? -1),
      history_uuid: historyUuid,
      max_unsafe_auto_id_timestamp: '-1',
    },
    num_docs: commit?.segments.reduce((sum, segment) => sum + segment.maxDoc - segment.deletedDocs, 0) ?? 0,
  };
}

function requestCacheOf({ answers: { bytes, evictions, hits, misses } }: BoundedRequestCache): Numbers {
  return { memory_size_in_bytes: bytes, evictions, hit_count: hits, miss_count: misses };
}

function queryCacheOf({ values }: BoundedCache): Numbers {
  const { bytes, hits, misses, entryCount, evictions } = values;
  return {
    memory_size_in_bytes: bytes,
    total_count: hits + misses,
    hit_count: hits,
    miss_count: misses,
    cache_size: entryCount,
    cache_count: entryCount + evictions,
    evictions,
  };
}

/** Returns section `retention_leases`. Leases of copies are the only kind. */
function leasesOf({ leases, leasesTerm, leasesVersion }: Engine): Record<string, unknown> {
  const shown = leases.map(({ id, retainedSeqNo, atMs }) => ({
    id,
    retaining_seq_no: retainedSeqNo,
    timestamp: atMs,
    source: 'peer recovery',
  }));
  return { primary_term: leasesTerm, version: leasesVersion, leases: shown };
}

/**
 * Returns all sections. `commit`, `seq_no`, `retention_leases` and `search_access` are shown at level `shards` only.
 */
export function shardStats(engine: Engine, sources: StatsSources): ShardStats {
  const persisted = engine.store.persistedSeqNo();
  return {
    docs: docsOf(engine, sources.visibleDocs),
    shard_stats: { total_count: 1 },
    store: {
      size_in_bytes: sources.storeBytes,
      total_data_set_size_in_bytes: sources.storeBytes,
      reserved_in_bytes: 0,
    },
    indexing: indexingOf(engine),
    get: getsOf(engine),
    search: searchesOf(engine, sources.openContexts),
    merges: mergesOf(engine),
    refresh: refreshesOf(engine, sources.refreshListeners),
    flush: {
      total: engine.counters.flushes.total,
      periodic: engine.counters.flushes.periodic,
      total_time_in_millis: whole(engine.counters.flushes.timeMs),
    },
    warmer: { current: 0, total: engine.counters.refreshes.external, total_time_in_millis: 0 },
    query_cache: queryCacheOf(sources.cache),
    fielddata: fielddataStats(engine.metadata.mapping, sources.readers, sources.cache),
    completion: completionStats(engine.metadata.mapping, sources.readers),
    segments: segmentsOf(engine),
    translog: translogOf(engine),
    request_cache: requestCacheOf(sources.requestCache),
    recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
    bulk: bulkOf(engine),
    dense_vector: { value_count: vectorCount(sources.readers) },
    commit: commitOf(engine),
    seq_no: {
      max_seq_no: engine.maxSeqNo,
      local_checkpoint: persisted,
      global_checkpoint: engine.store.globalCheckpoint,
    },
    retention_leases: leasesOf(engine),
    search_access: {
      search_idle: sources.searchIdleMs >= engine.settings.searchIdleAfterMs,
      search_idle_time: whole(sources.searchIdleMs),
    },
  };
}
