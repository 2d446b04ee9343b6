import type { JsonObject } from '@shoal/json';
import type { AnalyticsExecutor } from './analytics/analytics-executor.js';
import type { JobExecutor } from './jobs/job-executor.js';
import type { MlDoors } from './ml-doors.js';
import type { TrainedModels } from './models/trained-models.js';

/** Bytes of machine learning on a node. */
interface MlMemory {
  readonly mostBytes: number;
  readonly jobBytes: number;
  readonly analyticsBytes: number;
  readonly modelBytes: number;
}

interface Parts {
  readonly doors: MlDoors;
  readonly jobs: JobExecutor;
  readonly analytics: AnalyticsExecutor;
  readonly models: TrainedModels;
}

/** Answers to calls for the memory of this node. */
export function memoryCalls({ doors, jobs, analytics, models }: Parts): Readonly<Record<string, () => MlMemory>> {
  return {
    'ml-memory': () => ({
      mostBytes: doors.modelBytes,
      jobBytes: [...jobs.running.values()].reduce((sum, job) => sum + job.modelBytes, 0),
      analyticsBytes: [...analytics.running.values()].reduce((sum, run) => sum + run.progress.peakBytes, 0),
      modelBytes: models.cachedBytes,
    }),
  };
}

/** Memory of machine learning by node, as `GET _ml/memory/_stats` shows it. `ids`: nodes; null for all. */
export async function memoryStats(
  { cluster, coordinator, nodeId }: MlDoors,
  ids: readonly string[] | null,
): Promise<JsonObject> {
  const state = cluster.state();
  const isAsked = (id: string, name: string): boolean =>
    ids === null || ids.some((one) => [id, name, '_all'].includes(one) || (one === '_local' && id === nodeId));
  const asked = [...state.nodes.values()].filter(({ id, name }) => isAsked(id, name));
  const answers = await coordinator.callNodes(
    asked.map(({ id }) => id),
    'ml-memory',
    {},
  );
  const nodes: Record<string, JsonObject> = {};
  answers.forEach(({ error, body }, i) => {
    const node = asked[i]!;
    if (error !== null) return;
    nodes[node.id] = {
      ...{ name: node.name, ephemeral_id: node.ephemeralId, transport_address: node.transportAddress },
      ...{ attributes: {}, roles: [...node.roles] },
      ...sizesOf(body as MlMemory),
    };
  });
  const failed = answers.filter(({ error }) => error !== null).length;
  return {
    _nodes: { total: answers.length, successful: answers.length - failed, failed },
    cluster_name: state.clusterName,
    nodes,
  };
}

function sizesOf({ mostBytes, jobBytes, analyticsBytes, modelBytes }: MlMemory): JsonObject {
  return {
    mem: {
      ml: {
        max_in_bytes: mostBytes,
        native_code_overhead_in_bytes: 0,
        anomaly_detectors_in_bytes: jobBytes,
        data_frame_analytics_in_bytes: analyticsBytes,
        native_inference_in_bytes: 0,
      },
    },
    jvm: { java_inference_max_in_bytes: Math.floor(mostBytes / 4), java_inference_in_bytes: modelBytes },
  };
}
