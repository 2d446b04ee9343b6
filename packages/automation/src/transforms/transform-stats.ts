import type { JsonObject } from '@shoal/json';
import type { ClusterState, PersistentTask } from '@shoal/state';
import type { StoredTransform } from './stored-transform.js';
import type { RunningTransform } from './transform-executor.js';
import { progressOf, type TransformProgress } from './transform-progress.js';

function stateOf(task: PersistentTask | null, running: RunningTransform | null): string {
  if (task === null) return 'stopped';
  if (task.status?.['state'] === 'failed') return 'failed';
  if (task.node === null) return 'waiting';
  if (task.params['stopsAtCheckpoint'] === true) return 'stopping';
  return running?.isIndexing === true ? 'indexing' : 'started';
}

function nodeJson(task: PersistentTask | null, state: ClusterState): JsonObject {
  const node = task?.node ? state.nodes.get(task.node) : undefined;
  if (node === undefined) return {};
  const { id, name, ephemeralId, transportAddress } = node;
  return { node: { id, name, ephemeral_id: ephemeralId, transport_address: transportAddress, attributes: {} } };
}

function checkpointing(
  { checkpoint, last, open, changesDetectedMs, lastSearchMs }: TransformProgress,
  isDone: boolean,
  behind: number | null,
): JsonObject {
  const reached = open === null ? null : progressOf(open);
  return {
    last: {
      checkpoint,
      ...(last === null ? {} : { timestamp_millis: last.startedMs, time_upper_bound_millis: last.toMs }),
    },
    ...(open === null || isDone
      ? {}
      : {
          next: {
            checkpoint: open.checkpoint,
            ...(open.after === null ? {} : { position: { indexer_position: open.after } }),
            ...(reached === null ? {} : { checkpoint_progress: reached }),
            timestamp_millis: open.startedMs,
            time_upper_bound_millis: open.toMs,
          },
        }),
    ...(behind === null ? {} : { operations_behind: behind }),
    ...(changesDetectedMs === null ? {} : { changes_last_detected_at: changesDetectedMs }),
    ...(lastSearchMs === null ? {} : { last_search_time: lastSearchMs }),
  };
}

function health(state: string, task: PersistentTask | null, running: RunningTransform | null): JsonObject {
  const issue = (type: string, text: string, details: string, count: number): JsonObject => ({
    type,
    issue: text,
    details,
    count,
  });
  if (state === 'failed') {
    const details = String(task!.status!['reason']);
    return { status: 'red', issues: [issue('transform_task_failed', 'Transform task state is [failed]', details, 1)] };
  }
  if (state === 'waiting')
    return {
      status: 'yellow',
      issues: [issue('assignment_failed', 'Failed to assign transform to a node', task!.explanation, 1)],
    };
  const failure = running?.failure ?? null;
  if (failure === null) return { status: 'green' };
  const problem = issue('transform_indexer_failed', 'Transform indexer failed', failure.reason, failure.count);
  return { status: 'yellow', issues: [{ ...problem, first_occurrence: failure.firstMs }] };
}

/**
 * Returns the statistics of a transform in the form of the API. `behind` counts the documents that are not in the
 * destination yet; null where nobody knows.
 */
export function transformStats(
  { id }: StoredTransform,
  task: PersistentTask | null,
  running: RunningTransform | null,
  progress: TransformProgress,
  cluster: ClusterState,
  behind: number | null,
): JsonObject {
  const state = stateOf(task, running);
  return {
    id,
    state,
    ...(state === 'failed' ? { reason: task!.status!['reason'] } : {}),
    ...nodeJson(task, cluster),
    stats: progress.stats,
    checkpointing: checkpointing(progress, state === 'stopped' && progress.open === null, behind),
    health: health(state, task, running),
  };
}
