import type { ClusterState } from '@shoal/state';

/** What the coordinator needs of the cluster room's service. */
export interface ClusterAccess {
  /** The last applied state. */
  state(): ClusterState;
  /** Runs a task on the elected master; rejects with the task's ApiError. */
  submit(task: string, body: unknown, options?: { readonly timeoutMs?: number }): Promise<unknown>;
  /** Resolves as soon as an applied state satisfies the condition; with false when `timeoutMs` is over before. */
  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean>;
}
