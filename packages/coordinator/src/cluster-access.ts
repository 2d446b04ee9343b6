import type { ClusterState } from '@shoal/cluster';

/** What the coordinator needs of the cluster room's service. */
export interface ClusterAccess {
  /** The last applied state. */
  state(): ClusterState;
  /** Runs a task on the elected master; rejects with the task's ApiError. */
  submit(task: string, body: unknown, options?: { timeoutMs?: number }): Promise<unknown>;
}
