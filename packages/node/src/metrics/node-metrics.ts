import { counter, entriesAt, gauge, labelled, type Metric, numberAt, type Sample } from './metric.js';

/** The node's section of `_nodes/stats`. */
export type NodeStatistics = Readonly<Record<string, unknown>>;

const STAGES = ['coordinating', 'primary', 'replica'] as const;

/** Metrics of breakers, queues, links and disk, from `_nodes/stats`. */
export function nodeMetrics(stats: NodeStatistics): Metric[] {
  return [
    ...breakerMetrics(stats),
    ...poolMetrics(stats),
    ...pressureMetrics(stats),
    ...transportMetrics(stats),
    ...ingestMetrics(stats),
    gauge(
      'disk_bytes',
      'The file system of `path.data`.',
      labelled('kind', [
        ['total', numberAt(stats, 'fs', 'total', 'total_in_bytes')],
        ['available', numberAt(stats, 'fs', 'total', 'available_in_bytes')],
      ]),
    ),
    ...memoryMetrics(stats),
    counter(
      'thread_cpu_seconds_total',
      'Processor time of a thread by its name.',
      ofThreads(stats, 'threads')('cpu_time_in_millis', 0.001),
    ),
    ...shardThreadMetrics(stats),
    ...searchThreadMetrics(stats),
  ];
}

/** Returns the number under `key` of each entry, by the entry's name. */
function column(entries: readonly [string, unknown][], key: string): [string, number][] {
  return entries.map(([name, json]) => [name, numberAt(json, key)]);
}

function breakerMetrics(stats: NodeStatistics): Metric[] {
  const breakers = entriesAt(stats, 'breakers');
  const of = (key: string) => labelled('breaker', column(breakers, key));
  return [
    gauge('breaker_limit_bytes', 'Limit of a circuit breaker.', of('limit_size_in_bytes')),
    gauge('breaker_used_bytes', 'What it counts now.', of('estimated_size_in_bytes')),
    counter('breaker_tripped_total', 'Requests that it refused.', of('tripped')),
  ];
}

function poolMetrics(stats: NodeStatistics): Metric[] {
  const pools = entriesAt(stats, 'thread_pool');
  const of = (key: string) => labelled('pool', column(pools, key));
  return [
    gauge('pool_active', 'Requests that a pool works on.', of('active')),
    gauge('pool_queue', 'Requests that wait for it.', of('queue')),
    counter('pool_completed_total', 'Requests that it has done.', of('completed')),
    counter('pool_rejected_total', 'Requests that it refused.', of('rejected')),
  ];
}

function pressureMetrics(stats: NodeStatistics): Metric[] {
  const byStage = (part: string, suffix: string) =>
    labelled(
      'stage',
      STAGES.map((stage) => [stage, numberAt(stats, 'indexing_pressure', 'memory', part, `${stage}_${suffix}`)]),
    );
  return [
    gauge(
      'indexing_pressure_limit_bytes',
      'Limit of bytes of writes that are worked on.',
      numberAt(stats, 'indexing_pressure', 'memory', 'limit_in_bytes'),
    ),
    gauge('indexing_pressure_bytes', 'Bytes of writes by stage.', byStage('current', 'in_bytes')),
    counter('indexing_pressure_rejected_total', 'Writes that were refused by stage.', byStage('total', 'rejections')),
  ];
}

function transportMetrics(stats: NodeStatistics): Metric[] {
  const byDirection = (received: string, sent: string) =>
    labelled('direction', [
      ['received', numberAt(stats, 'transport', received)],
      ['sent', numberAt(stats, 'transport', sent)],
    ]);
  return [
    counter(
      'transport_bytes_total',
      'Bytes of links to other nodes.',
      byDirection('rx_size_in_bytes', 'tx_size_in_bytes'),
    ),
    counter('transport_messages_total', 'Messages of these links.', byDirection('rx_count', 'tx_count')),
  ];
}

function ingestMetrics(stats: NodeStatistics): Metric[] {
  const total = (key: string): number => numberAt(stats, 'ingest', 'total', key);
  const pipelines = labelled('pipeline', column(entriesAt(stats['ingest'] ?? {}, 'pipelines'), 'failed'));
  return [
    counter('ingest_documents_total', 'Documents that went through ingest pipelines.', total('count')),
    counter('ingest_seconds_total', 'Time that they took.', total('time_in_millis') / 1000),
    counter('ingest_failed_total', 'Documents that their pipelines refused.', total('failed')),
    counter('ingest_pipeline_failed_total', 'Runs of a pipeline that failed.', pipelines),
  ];
}

/** Returns the function that reads a figure of each thread from a section of threads by number. */
function ofThreads(stats: NodeStatistics, section: string): (key: string, scale?: number) => Sample[] {
  const threads = entriesAt(stats, section);
  return (key, scale = 1) =>
    labelled(
      'thread',
      column(threads, key).map(([name, value]) => [name, value * scale]),
    );
}

function shardThreadMetrics(stats: NodeStatistics): Metric[] {
  const of = ofThreads(stats, 'shard_threads');
  return [
    gauge('shard_thread_active', 'Requests that a thread with shards works on.', of('active')),
    counter('shard_thread_starts_total', 'Number of its starts.', of('starts')),
    counter('shard_thread_lost_total', 'Number of times that it ended by itself.', of('ended_by_itself')),
    counter('shard_thread_busy_seconds_total', 'Time that it has worked.', of('busy_time_in_millis', 0.001)),
  ];
}

function searchThreadMetrics(stats: NodeStatistics): Metric[] {
  const of = ofThreads(stats, 'search_threads');
  return [
    gauge('search_thread_active', 'Searches that a search thread works on.', of('active')),
    counter('search_thread_completed_total', 'Searches that it has answered.', of('completed')),
    counter('search_thread_failed_total', 'Searches that it did not answer.', of('failed')),
    counter('search_thread_starts_total', 'Number of its starts.', of('starts')),
    counter('search_thread_lost_total', 'Number of times that it ended by itself.', of('ended_by_itself')),
    counter('search_thread_busy_seconds_total', 'Time that it has worked.', of('busy_time_in_millis', 0.001)),
  ];
}

function memoryMetrics(stats: NodeStatistics): Metric[] {
  const collections = (key: string) =>
    ['young', 'old'].map((kind): [string, number] => [kind, numberAt(stats, 'jvm', 'gc', 'collectors', kind, key)]);
  const seconds = collections('collection_time_in_millis').map(([kind, ms]): [string, number] => [kind, ms / 1000]);
  return [
    gauge(
      'memory_limit_bytes',
      'The memory budget of the process.',
      numberAt(stats, 'jvm', 'mem', 'heap_max_in_bytes'),
    ),
    gauge('memory_used_bytes', 'Resident memory of the process.', numberAt(stats, 'jvm', 'mem', 'heap_used_in_bytes')),
    counter(
      'gc_collections_total',
      'Garbage collections of the main thread.',
      labelled('kind', collections('collection_count')),
    ),
    counter('gc_seconds_total', 'Time of these.', labelled('kind', seconds)),
  ];
}
