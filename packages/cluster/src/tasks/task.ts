import type { AllocationContext } from '../allocation/context.js';
import type { IndexMappings } from '../metadata/index-mappings.js';
import type { ClusterState, IndexMetadata } from '@shoal/state';

export type Priority = 'IMMEDIATE' | 'URGENT' | 'HIGH' | 'NORMAL' | 'LOW' | 'LANGUID';

/** What a task may know besides the state: everything else it needs is in its body. */
export interface TaskContext extends AllocationContext {
  readonly mappings: IndexMappings;
  /** Of the index that the task makes, as its submitter chose it. */
  readonly newIndexUuid?: string;
}

/** How much of allocation a change calls for: bringing primaries back, or all. */
export type RerouteExtent = 'primaries' | 'all';

export interface TaskResult {
  /** The same object when nothing changed. */
  readonly state: ClusterState;
  readonly answer: unknown;
  /** Copies may have to be placed: done once, after the whole batch. */
  readonly reroute?: RerouteExtent;
  /** Holds back the answer until a later state satisfies it or the time given with the task is up. */
  readonly until?: (state: ClusterState) => boolean;
  /** The answer when waiting was in vain. */
  readonly answerUnmet?: unknown;
}

/** A change of the cluster state: validates its body and makes the next state. Pure; throws ApiErrors. */
export interface Task {
  readonly name: string;
  readonly priority: Priority;
  /** How `pending_tasks` describes it. */
  source(body: unknown): string;
  apply(state: ClusterState, body: unknown, context: TaskContext): TaskResult;
  /** Several of them at once, where that is cheaper: they fail together or not at all and have the same answer. */
  applyAll?(state: ClusterState, bodies: readonly unknown[], context: TaskContext): TaskResult;
  /**
   * For tasks that make an index and cannot be repeated: the answer where `created` is what an earlier try of the same
   * task has made.
   */
  createdBefore?(state: ClusterState, body: unknown, created: IndexMetadata): TaskResult;
}

interface TaskDefinition<Body> {
  readonly name: string;
  readonly priority: Priority;
  readonly source: (body: Body) => string;
  readonly apply: (state: ClusterState, body: Body, context: TaskContext) => TaskResult;
  readonly applyAll?: (state: ClusterState, bodies: readonly Body[], context: TaskContext) => TaskResult;
  readonly createdBefore?: (state: ClusterState, body: Body, created: IndexMetadata) => TaskResult;
}

/** Gives a task its body type. Bodies are made by this program's own REST layer or nodes, so that the type holds. */
export function defineTask<Body>(definition: TaskDefinition<Body>): Task {
  const { applyAll, createdBefore } = definition;
  return {
    name: definition.name,
    priority: definition.priority,
    source: (body) => definition.source(body as Body),
    apply: (state, body, context) => definition.apply(state, body as Body, context),
    ...(createdBefore ? { createdBefore: (state, body, created) => createdBefore(state, body as Body, created) } : {}),
    ...(applyAll ? { applyAll: (state, bodies, context) => applyAll(state, bodies as readonly Body[], context) } : {}),
  };
}

export const ACKNOWLEDGED = { acknowledged: true } as const;
