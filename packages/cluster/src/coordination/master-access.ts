import type { ClusterState } from '@shoal/state';

/** The elected master as its duties see it. */
export interface MasterAccess {
  /** Queues a task of the master itself. */
  submit(task: string, body: unknown): Promise<unknown>;
  /** The state that was applied last. */
  state(): ClusterState;
}
