import type { ClusterState } from '@shoal/state';

/** The parts of the cluster service that the coordinator uses. */
export interface ClusterAccess {
  /** The last applied state. */
  state(): ClusterState;
  /** Runs a task on the elected master; rejects with the task's ApiError. */
  submit(task: string, body: unknown, options?: { readonly timeoutMs?: number }): Promise<unknown>;
  /** Resolves with true when an applied state meets the condition, with false after `timeoutMs`. */
  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean>;
}
