import { counter, gauge, labelled, type Metric, numberAt } from './metric.js';

/** Statistics of the node's shards, in the form of `_stats`. */
export type ShardStatistics = readonly Readonly<Record<string, unknown>>[];

const OPERATIONS: readonly (readonly [operation: string, section: string, count: string, time: string])[] = [
  ['query', 'search', 'query_total', 'query_time_in_millis'],
  ['fetch', 'search', 'fetch_total', 'fetch_time_in_millis'],
  ['scroll', 'search', 'scroll_total', 'scroll_time_in_millis'],
  ['suggest', 'search', 'suggest_total', 'suggest_time_in_millis'],
  ['index', 'indexing', 'index_total', 'index_time_in_millis'],
  ['delete', 'indexing', 'delete_total', 'delete_time_in_millis'],
  ['get', 'get', 'total', 'time_in_millis'],
  ['refresh', 'refresh', 'total', 'total_time_in_millis'],
  ['flush', 'flush', 'total', 'total_time_in_millis'],
  ['merge', 'merges', 'total', 'total_time_in_millis'],
  ['bulk', 'bulk', 'total_operations', 'total_time_in_millis'],
];

const CACHES = ['query_cache', 'request_cache'] as const;

/** Metrics of the node's shards, summed: operations and contents. */
export function shardMetrics(shards: ShardStatistics): Metric[] {
  const sum = (...path: string[]): number => shards.reduce((total, shard) => total + numberAt(shard, ...path), 0);
  return [
    counter(
      'shard_operations_total',
      'Operations of shards by kind.',
      labelled(
        'operation',
        OPERATIONS.map(([name, section, count]) => [name, sum(section, count)]),
      ),
    ),
    counter(
      'shard_operation_seconds_total',
      'Time of these operations; by the rate of the other it is the mean latency.',
      labelled(
        'operation',
        OPERATIONS.map(([name, section, , time]) => [name, sum(section, time) / 1000]),
      ),
    ),
    counter('shard_indexing_failed_total', 'Documents that were not indexed.', sum('indexing', 'index_failed')),
    gauge(
      'shard_search_contexts_open',
      'Readers that scrolls and points in time hold.',
      sum('search', 'open_contexts'),
    ),
    gauge('shard_documents', 'Documents of the copies on this node.', sum('docs', 'count')),
    gauge('shard_documents_deleted', 'Deleted documents that merges have not removed yet.', sum('docs', 'deleted')),
    gauge('shard_store_bytes', 'Bytes of the copies on disk.', sum('store', 'size_in_bytes')),
    gauge('shard_segments', 'Segments of the copies.', sum('segments', 'count')),
    gauge(
      'shard_log_bytes',
      'Bytes of operations that are not in a commit yet.',
      sum('translog', 'uncommitted_size_in_bytes'),
    ),
    gauge(
      'shard_cache_bytes',
      'Bytes of caches.',
      labelled(
        'cache',
        CACHES.map((cache) => [cache, sum(cache, 'memory_size_in_bytes')]),
      ),
    ),
    counter(
      'shard_cache_hits_total',
      'Answers from caches.',
      labelled(
        'cache',
        CACHES.map((cache) => [cache, sum(cache, 'hit_count')]),
      ),
    ),
    counter(
      'shard_cache_misses_total',
      'Answers that caches did not have.',
      labelled(
        'cache',
        CACHES.map((cache) => [cache, sum(cache, 'miss_count')]),
      ),
    ),
  ];
}
