import type { NodeFacts } from '@shoal/rest';
import type { AssembledNode } from '../assembly/assemble-node.js';
import type { HttpEndpoint } from '../http/http-endpoint.js';
import { openMetrics } from '../metrics/open-metrics.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { ProcessBudgets } from '../start/node-budgets.js';
import { nodeInfo } from './node-info.js';
import { createNodeStats } from './node-stats.js';

/** Parts of a node from which its figures come. */
export interface FactsOptions {
  readonly node: AssembledNode;
  readonly settings: NodeSettings;
  readonly clusterName: string;
  readonly dataPath: string;
  readonly startedAtMs: number;
  readonly budgets: ProcessBudgets;
  readonly http: HttpEndpoint;
}

/** Opens the figures of this process for `_nodes`, `_cat` and metrics. */
export function openFacts(options: FactsOptions): NodeFacts {
  const { node, startedAtMs, http } = options;
  const { localNode, cluster, coordinator, work, limits } = node;
  const stats = openStats(options);
  const settings = shownSettings(options);
  const info = infoOf(options);
  return {
    id: localNode.id,
    name: localNode.name,
    startedAtMs,
    settings,
    info: () => ({ ...info, settings }),
    stats,
    metrics: openMetrics({
      localNodeId: localNode.id,
      version: localNode.version,
      http: http.stats,
      cluster,
      tasks: coordinator.tasks,
      quarantine: () => coordinator.quarantine.stats(),
      stats,
      workTimes: limits.workTimes,
      shards: work.handle,
    }),
  };
}

function openStats({ node, dataPath, startedAtMs, budgets, http }: FactsOptions): NodeFacts['stats'] {
  const { membership, shards, work, limits, coordinator, cluster } = node;
  return createNodeStats({
    http: http.stats,
    transport: () => membership.transportStats(),
    startedAtMs,
    memoryBytes: budgets.memoryBytes,
    dataPath,
    requestBytesMax: budgets.requestBytesMax,
    requestMemory: shards.requestMemory,
    threadStats: () => shards.threadStats(),
    searchThreads: shards.searchStats,
    shardThreads: shards.threads.length,
    work,
    limits,
    inFlight: () => coordinator.inFlight,
    searchRanks: coordinator.searchRanks,
    ingest: () => coordinator.ingest.stats(),
    coordination: () => cluster.statistics(),
  });
}

function infoOf({ node, startedAtMs, budgets, http }: FactsOptions): Record<string, unknown> {
  const { localNode, shards, limits, coordinator } = node;
  return nodeInfo({
    ...budgets,
    startedAtMs,
    shardThreads: shards.threads.length,
    processorTypes: coordinator.ingest.processorTypes,
    queues: limits.queues,
    httpBound: http.bound,
    httpPublish: localNode.httpAddress!,
    maxContentBytes: http.settings.contentBytesMax,
    transportAddress: localNode.transportAddress,
  });
}

const SHOWN_AS_LISTS: ReadonlySet<string> = new Set(['path.repo', 'repositories.url.allowed_urls', 'node.roles']);

/** Settings as `GET /_nodes` shows them; lists as lists. */
function shownSettings({
  node,
  settings,
  clusterName,
  dataPath,
}: FactsOptions): Record<string, string | readonly string[]> {
  const shown = [...settings.explicit].map(
    ([name, value]) => [name, SHOWN_AS_LISTS.has(name) ? settings.list(name) : value] as const,
  );
  return {
    ...Object.fromEntries(shown),
    'cluster.name': clusterName,
    'node.name': node.localNode.name,
    'path.data': dataPath,
  };
}
