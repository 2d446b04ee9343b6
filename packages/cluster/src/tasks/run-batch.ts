import { type ApiError, errors, toApiError } from '@shoal/errors';
import { reroute } from '../allocation/reroute.js';
import type { Tombstone } from '../metadata/remove-indices.js';
import { type ClusterState, sectionEntry } from '@shoal/state';
import { assignPersistentTasks } from './persistent-tasks.js';
import type { RerouteExtent, Task, TaskContext, TaskResult } from './task.js';

/** A task of a batch, with its body. */
export interface BatchEntry {
  readonly task: Task;
  readonly body: unknown;
}

/** Result of a task of a batch, or the error that it threw. */
export type TaskOutcome = TaskResult | ApiError;

/** Whether a task succeeded. */
export const isResult = (outcome: TaskOutcome): outcome is TaskResult => 'answer' in outcome;

interface Progress {
  state: ClusterState;
  extent: RerouteExtent | null;
  readonly outcomes: TaskOutcome[];
}

function attempt(progress: Progress, entries: readonly BatchEntry[], apply: (state: ClusterState) => TaskResult): void {
  try {
    const result = apply(progress.state);
    progress.state = result.state;
    if (result.reroute === 'all' || progress.extent === null) progress.extent = result.reroute ?? progress.extent;
    for (const _entry of entries) progress.outcomes.push(result);
  } catch (error) {
    for (const _entry of entries) progress.outcomes.push(toApiError(error));
  }
}

/** Returns how many entries from `start` on are the same task and can be applied together. */
function runLength(batch: readonly BatchEntry[], start: number): number {
  const { task } = batch[start]!;
  if (!task.applyAll) return 1;
  let end = start + 1;
  while (end < batch.length && batch[end]!.task === task) end++;
  return end - start;
}

/**
 * Throws if the index that a repeated task created has been deleted since. Example: n1 submits a create with uuid u,
 * learns no outcome and submits it again; in between u was created and deleted. Creating u again would reuse the files
 * of the deleted index.
 */
function refuseBuried(state: ClusterState, uuid: string): void {
  const buried = sectionEntry(state, 'tombstones', uuid) as Tombstone | undefined;
  if (buried)
    throw errors.indexNotFound(`index [${buried.name}] was created and deleted since`, {
      meta: { index: buried.name, index_uuid: uuid },
    });
}

/**
 * Applies one task. A task that is submitted again, because its outcome did not reach the submitter, finds the index
 * that it created by the uuid.
 */
function applyOne(state: ClusterState, { task, body }: BatchEntry, context: TaskContext): TaskResult {
  const uuid = task.createdBefore ? (body as { newIndexUuid?: string }).newIndexUuid : undefined;
  if (uuid === undefined) return task.apply(state, body, context);
  refuseBuried(state, uuid);
  const created = state.indices.get(uuid);
  return created
    ? task.createdBefore!(state, body, created)
    : task.apply(state, body, { ...context, newIndexUuid: uuid });
}

/**
 * Runs the tasks of a batch over a state, then one reroute and one assignment of persistent tasks for all of them. A
 * task that throws fails alone. Pure except for ids and time of the context.
 */
export function runBatch(
  state: ClusterState,
  batch: readonly BatchEntry[],
  context: TaskContext,
): { readonly state: ClusterState; readonly outcomes: readonly TaskOutcome[] } {
  const progress: Progress = { state, extent: null, outcomes: [] };
  for (let start = 0; start < batch.length; ) {
    const entries = batch.slice(start, start + runLength(batch, start));
    if (entries.length === 1) attempt(progress, entries, (before) => applyOne(before, entries[0]!, context));
    else
      attempt(progress, entries, (before) =>
        entries[0]!.task.applyAll!(
          before,
          entries.map((entry) => entry.body),
          context,
        ),
      );
    start += entries.length;
  }
  const placed = progress.extent === null ? progress.state : reroute(progress.state, context, progress.extent);
  return { state: assignPersistentTasks(placed), outcomes: progress.outcomes };
}
