import type { AllocationContext } from '../allocation/context.js';
import type { IndexMappings } from '../metadata/index-mappings.js';
import type { ClusterState, IndexMetadata } from '@shoal/state';

/** Priority of a task in the queue of the master, highest first. */
export type Priority = 'IMMEDIATE' | 'URGENT' | 'HIGH' | 'NORMAL' | 'LOW' | 'LANGUID';

/** What a task knows besides the state and its body. */
export interface TaskContext extends AllocationContext {
  readonly mappings: IndexMappings;
  /** Uuid of the index that the task creates, chosen by its submitter. */
  readonly newIndexUuid?: string;
}

/** Which phases of `reroute` a change needs: only primaries, or all. */
export type RerouteExtent = 'primaries' | 'all';

/** What a task does to the state, and its answer. */
export interface TaskResult {
  /** The next state; the same object if nothing changed. */
  readonly state: ClusterState;
  readonly answer: unknown;
  /** Reroute that the change needs; it runs once after the whole batch. Absent: none. */
  readonly reroute?: RerouteExtent;
  /** Delays the answer until a later state meets the condition, or the timeout of the task is over. */
  readonly until?: (state: ClusterState) => boolean;
  /** The answer if `until` was not met in time. */
  readonly answerUnmet?: unknown;
}

/** A change of the cluster state: validates its body and makes the next state. Pure; throws ApiErrors. */
export interface Task {
  readonly name: string;
  readonly priority: Priority;
  /** Describes the task for `pending_tasks`. */
  source(body: unknown): string;
  apply(state: ClusterState, body: unknown, context: TaskContext): TaskResult;
  /**
   * Does what takes long before the task is queued, in steps between which others run. `apply` finds the results, and
   * does without them where the state has changed since. What a step throws, `apply` throws again.
   */
  prepare?(state: ClusterState, body: unknown, mappings: IndexMappings): Iterable<void>;
  /** Applies several tasks at once if that is cheaper. They succeed or fail together and have the same answer. */
  applyAll?(state: ClusterState, bodies: readonly unknown[], context: TaskContext): TaskResult;
  /**
   * For tasks that create an index: returns the answer if an earlier submission of the same task has created `created`.
   */
  createdBefore?(state: ClusterState, body: unknown, created: IndexMetadata): TaskResult;
}

interface TaskDefinition<Body> {
  readonly name: string;
  readonly priority: Priority;
  readonly source: (body: Body) => string;
  readonly apply: (state: ClusterState, body: Body, context: TaskContext) => TaskResult;
  readonly prepare?: (state: ClusterState, body: Body, mappings: IndexMappings) => Iterable<void>;
  readonly applyAll?: (state: ClusterState, bodies: readonly Body[], context: TaskContext) => TaskResult;
  readonly createdBefore?: (state: ClusterState, body: Body, created: IndexMetadata) => TaskResult;
}

/**
 * Makes a task from a definition with a typed body. Bodies are not checked again: the REST layer or a node of this
 * program made them.
 */
export function defineTask<Body>(definition: TaskDefinition<Body>): Task {
  const { prepare, applyAll, createdBefore } = definition;
  return {
    name: definition.name,
    priority: definition.priority,
    source: (body) => definition.source(body as Body),
    apply: (state, body, context) => definition.apply(state, body as Body, context),
    ...(createdBefore ? { createdBefore: (state, body, created) => createdBefore(state, body as Body, created) } : {}),
    ...(prepare ? { prepare: (state, body, mappings) => prepare(state, body as Body, mappings) } : {}),
    ...(applyAll ? { applyAll: (state, bodies, context) => applyAll(state, bodies as readonly Body[], context) } : {}),
  };
}

/** Answer of most tasks. */
export const ACKNOWLEDGED = { acknowledged: true } as const;
