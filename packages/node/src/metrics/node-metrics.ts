import { counter, entriesAt, gauge, labelled, type Metric, numberAt } from './metric.js';

/** The node's section of `_nodes/stats`. */
export type NodeStatistics = Readonly<Record<string, unknown>>;

const STAGES = ['coordinating', 'primary', 'replica'] as const;

/** Breakers, queues, links and disk, as `_nodes/stats` has them. */
export function nodeMetrics(stats: NodeStatistics): Metric[] {
  const breakers = entriesAt(stats, 'breakers');
  const pools = entriesAt(stats, 'thread_pool');
  const of = (entries: readonly [string, unknown][], key: string): [string, number][] =>
    entries.map(([name, json]) => [name, numberAt(json, key)]);
  const pressure = (part: string, key: (stage: string) => string): [string, number][] =>
    STAGES.map((stage) => [stage, numberAt(stats, 'indexing_pressure', 'memory', part, key(stage))]);
  return [
    gauge(
      'breaker_limit_bytes',
      'Limit of a circuit breaker.',
      labelled('breaker', of(breakers, 'limit_size_in_bytes')),
    ),
    gauge('breaker_used_bytes', 'What it counts now.', labelled('breaker', of(breakers, 'estimated_size_in_bytes'))),
    counter('breaker_tripped_total', 'Requests that it refused.', labelled('breaker', of(breakers, 'tripped'))),
    gauge('pool_active', 'Requests that a pool works on.', labelled('pool', of(pools, 'active'))),
    gauge('pool_queue', 'Requests that wait for it.', labelled('pool', of(pools, 'queue'))),
    counter('pool_completed_total', 'Requests that it has done.', labelled('pool', of(pools, 'completed'))),
    counter('pool_rejected_total', 'Requests that it refused.', labelled('pool', of(pools, 'rejected'))),
    gauge(
      'indexing_pressure_limit_bytes',
      'Limit of bytes of writes that are worked on.',
      numberAt(stats, 'indexing_pressure', 'memory', 'limit_in_bytes'),
    ),
    gauge(
      'indexing_pressure_bytes',
      'Bytes of writes by stage.',
      labelled(
        'stage',
        pressure('current', (stage) => `${stage}_in_bytes`),
      ),
    ),
    counter(
      'indexing_pressure_rejected_total',
      'Writes that were refused by stage.',
      labelled(
        'stage',
        pressure('total', (stage) => `${stage}_rejections`),
      ),
    ),
    counter(
      'transport_bytes_total',
      'Bytes of links to other nodes.',
      labelled('direction', [
        ['received', numberAt(stats, 'transport', 'rx_size_in_bytes')],
        ['sent', numberAt(stats, 'transport', 'tx_size_in_bytes')],
      ]),
    ),
    counter(
      'transport_messages_total',
      'Messages of these links.',
      labelled('direction', [
        ['received', numberAt(stats, 'transport', 'rx_count')],
        ['sent', numberAt(stats, 'transport', 'tx_count')],
      ]),
    ),
    gauge(
      'disk_bytes',
      'The file system of `path.data`.',
      labelled('kind', [
        ['total', numberAt(stats, 'fs', 'total', 'total_in_bytes')],
        ['available', numberAt(stats, 'fs', 'total', 'available_in_bytes')],
      ]),
    ),
    gauge(
      'memory_limit_bytes',
      'The memory budget of the process.',
      numberAt(stats, 'jvm', 'mem', 'heap_max_in_bytes'),
    ),
    gauge('memory_used_bytes', 'Resident memory of the process.', numberAt(stats, 'jvm', 'mem', 'heap_used_in_bytes')),
    counter(
      'gc_collections_total',
      'Garbage collections of the main thread.',
      labelled(
        'kind',
        ['young', 'old'].map((kind) => [kind, numberAt(stats, 'jvm', 'gc', 'collectors', kind, 'collection_count')]),
      ),
    ),
    counter(
      'gc_seconds_total',
      'Time of these.',
      labelled(
        'kind',
        ['young', 'old'].map((kind) => [
          kind,
          numberAt(stats, 'jvm', 'gc', 'collectors', kind, 'collection_time_in_millis') / 1000,
        ]),
      ),
    ),
  ];
}
