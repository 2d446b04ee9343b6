import type { ClusterService } from '@shoal/cluster';
import type { ClusterState } from '@shoal/state';
import type { NodeQuarantineStats, TaskRegistry } from '@shoal/coordinator';
import { type ChannelHandler, LazySignal } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import type { HttpStats } from '@shoal/rest';
import { clusterMetrics } from './cluster-metrics.js';
import { httpMetrics } from './http-metrics.js';
import { counter, gauge, labelled, type Metric } from './metric.js';
import { nodeMetrics, type NodeStatistics } from './node-metrics.js';
import { shardMetrics, type ShardStatistics } from './shard-metrics.js';
import type { WorkTime } from '../turns/fair-turns.js';

/** Sources of the node's metrics. */
export interface MetricsOptions {
  readonly localNodeId: string;
  readonly version: string;
  readonly http: HttpStats;
  readonly cluster: ClusterService;
  readonly tasks: TaskRegistry;
  readonly quarantine: () => NodeQuarantineStats;
  readonly stats: () => Promise<NodeStatistics>;
  readonly workTimes: () => readonly WorkTime[];
  /** Answers messages for the node's own shards. */
  readonly shards: ChannelHandler;
}

/**
 * Returns the function that renders the node's metrics in Prometheus' text format. Until its first call nothing is
 * measured beyond what statistics need anyway.
 */
export function openMetrics(options: MetricsOptions): () => Promise<string> {
  let registry: Promise<MetricsRegistry> | null = null;
  return async () => {
    registry ??= openRegistry();
    const [{ render }, metrics] = await Promise.all([registry, measure(options)]);
    return render(metrics);
  };
}

async function measure(options: MetricsOptions): Promise<Metric[]> {
  const state = options.cluster.state();
  const isMaster = state.masterNodeId === options.localNodeId;
  const [stats, shards, pending] = await Promise.all([
    options.stats(),
    localShards(options, state),
    isMaster ? options.cluster.pendingTasks() : null,
  ]);
  return [
    gauge('build_info', 'Version of the program as clients see it.', [
      { value: 1, labels: { version: options.version, runtime: process.version } },
    ]),
    gauge('tasks_running', 'Requests and their parts that run on this node.', options.tasks.list().length),
    ...httpMetrics(options.http),
    ...workMetrics(options.workTimes()),
    ...shardMetrics(shards),
    ...nodeMetrics(stats),
    ...quarantineMetrics(options.quarantine()),
    ...clusterMetrics(state, options.localNodeId, pending?.length ?? null),
  ];
}

function workMetrics(times: readonly WorkTime[]): Metric[] {
  const of = (ms: 'usedMs' | 'longestMs') =>
    labelled(
      'kind',
      times.map((time) => [time.kind, time[ms] / 1000]),
    );
  return [
    counter('work_seconds_total', 'Processor time of the main thread by kind of work.', of('usedMs')),
    gauge('work_longest_seconds', 'The longest time at a stretch since the start.', of('longestMs')),
  ];
}

function quarantineMetrics({ kept, lost, replayed }: NodeQuarantineStats): Metric[] {
  return [
    counter('quarantine_kept_total', 'Refused documents that were kept.', kept),
    counter('quarantine_lost_total', 'Refused documents that were to be kept and could not.', lost),
    counter('quarantine_replayed_total', 'Kept documents that were written by a replay.', replayed),
  ];
}

/** Fetches statistics of the node's own copies; a copy that cannot answer is left out. */
async function localShards({ localNodeId, shards }: MetricsOptions, state: ClusterState): Promise<ShardStatistics> {
  const signal = new LazySignal();
  const own = [...state.routing.values()]
    .flat(2)
    .filter((copy) => copy.nodeId === localNodeId && (copy.state === 'STARTED' || copy.state === 'RELOCATING'));
  const answers = await Promise.all(
    own.map(async ({ indexUuid, shard }) => {
      const request = {
        shard: { indexUuid, shard },
        indexName: state.indices.get(indexUuid)?.name ?? '',
        action: 'stats',
        body: Buffer.from('{}'),
      };
      const { action, encodeRequest } = messages.methods.call;
      const answer = await shards(action, encodeRequest(request), signal).catch(() => null);
      return answer === null
        ? []
        : [
            JSON.parse(Buffer.from(messages.decodeShardCallResponse(answer).body).toString('utf8')) as Record<
              string,
              unknown
            >,
          ];
    }),
  );
  return answers.flat();
}

interface MetricsRegistry {
  render(metrics: readonly Metric[]): Promise<string>;
}

/**
 * Loads prom-client at the first request for metrics. From then on prom-client also measures the process: processor,
 * heap, event loop delay.
 */
async function openRegistry(): Promise<MetricsRegistry> {
  const { Registry, collectDefaultMetrics } = await import('prom-client');
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return {
    async render(metrics) {
      const own = new Registry();
      for (const metric of metrics)
        own.registerMetric({ name: metric.name, get: () => Promise.resolve(metric) } as unknown as Parameters<
          typeof own.registerMetric
        >[0]);
      return `${await ofProcess.metrics()}\n${await own.metrics()}`;
    },
  };
}
