import { section, sectionEntry } from './edit.js';
import type { ClusterState } from './state.js';

/**
 * Work that some node of the cluster does until it is complete, whatever nodes die: a transform, a job of machine
 * learning. The master assigns it. What the work has reached is not here but where the work keeps it.
 */
export interface PersistentTask {
  /** `transform` …: names the code that does it. */
  readonly type: string;
  /** Role that a node needs. */
  readonly role: string;
  /** What the code needs to know; JSON. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Higher with each assignment of a task of this id. What a node reports of an earlier assignment is refused. */
  readonly allocationId: number;
  /** Null while no node can do it. */
  readonly node: string | null;
  /** Why the task is where it is. */
  readonly explanation: string;
  /** What the node has reported; null after each assignment. */
  readonly status: Readonly<Record<string, unknown>> | null;
}

/** Returns the persistent tasks by id. */
export function persistentTasks(state: ClusterState): Readonly<Record<string, PersistentTask>> {
  return section(state, 'persistentTasks') as Readonly<Record<string, PersistentTask>>;
}

/** Returns a persistent task; null if there is none of the id. */
export function ownPersistentTask(state: ClusterState, id: string): PersistentTask | null {
  return (sectionEntry(state, 'persistentTasks', id) as PersistentTask | undefined) ?? null;
}
