import type { JsonObject } from '@shoal/json';
import type { ClusterState, PersistentTask } from '@shoal/state';
import type { AnalyticsConfig } from './analytics-config.js';
import { phasesOf } from './phases.js';
import type { AnalyticsProgress } from './stored-analytics.js';

export type AnalyticsState = 'started' | 'stopped' | 'starting' | 'stopping' | 'reindexing' | 'analyzing' | 'failed';

interface AnalyticsNow {
  readonly state: AnalyticsState;
  readonly task: PersistentTask | null;
  readonly node: (ClusterState['nodes'] extends ReadonlyMap<string, infer N> ? N : never) | null;
  readonly progress: AnalyticsProgress | null;
  readonly nowMs: number;
}

const NO_DOCUMENTS = { training_docs_count: 0, test_docs_count: 0, skipped_docs_count: 0 };

/** Statistics of an analysis as 8.12 shows them. */
export function analyticsStats(
  config: AnalyticsConfig,
  { state, task, node, progress, nowMs }: AnalyticsNow,
): JsonObject {
  const phases = progress?.phases ?? phasesOf(config.analysis).map((phase) => [phase, 0] as const);
  const reason = task?.status?.['reason'];
  return {
    id: config.id,
    state,
    ...(typeof reason === 'string' ? { failure_reason: reason } : {}),
    progress: phases.map(([phase, percent]) => ({ phase, progress_percent: percent })),
    data_counts: progress?.counts ?? NO_DOCUMENTS,
    memory_usage: {
      ...(progress === null ? {} : { timestamp: progress.startedMs + progress.elapsedMs }),
      ...{ peak_usage_bytes: progress?.peakBytes ?? 0, status: 'ok' },
    },
    ...(progress === null || Object.keys(progress.stats).length === 0
      ? {}
      : { analysis_stats: { [`${config.analysis.kind}_stats`]: statsOf(progress, nowMs) } }),
    ...(node === null
      ? {}
      : {
          node: {
            ...{ id: node.id, name: node.name, ephemeral_id: node.ephemeralId },
            ...{ transport_address: node.transportAddress, attributes: {} },
          },
        }),
    assignment_explanation: task?.node === null ? task.explanation : '',
  };
}

function statsOf({ stats, startedMs, elapsedMs }: AnalyticsProgress, nowMs: number): JsonObject {
  const timing = { elapsed_time: elapsedMs };
  const timestamp = Math.min(nowMs, startedMs + elapsedMs);
  return { timestamp, ...stats, timing_stats: timing };
}
