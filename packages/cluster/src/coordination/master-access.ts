import type { ClusterState } from '@shoal/state';

/** The elected master, as its duties use it. */
export interface MasterAccess {
  /** Queues a task of the master itself. */
  submit(task: string, body: unknown): Promise<unknown>;
  /** The last applied state. */
  state(): ClusterState;
}
