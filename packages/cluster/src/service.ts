import type { CoordinationStatistics } from './coordination/coordination-statistics.js';
import type { ClusterState, NodeInfo } from '@shoal/state';
import type { Priority } from './tasks/task.js';
import type { TaskBodies } from './tasks/task-bodies.js';

/** Applies committed states on all threads of the node. */
export interface StateApplier {
  apply(state: ClusterState, previous: ClusterState): Promise<void>;
}

/** A task that is queued or runs. */
export interface PendingTask {
  readonly insertOrder: number;
  readonly priority: Priority;
  readonly source: string;
  readonly executing: boolean;
  readonly queuedMs: number;
}

/** Timeouts of a task. */
export interface SubmitOptions {
  /** Milliseconds for acknowledgements of the nodes, and for the shards that the task waits for. Default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds for finding a master and for waiting in its queue. Default 30,000. */
  readonly masterTimeoutMs?: number;
}

/** The cluster as other packages use it, on whatever thread its coordination runs. */
export interface ClusterService {
  /** The last applied state. While no master is known it has no `masterNodeId` and a block. */
  state(): ClusterState;
  /**
   * Runs a task of the catalogue on the elected master; resolves with its answer once its state is applied by all nodes
   * and what it waits for has happened, or `timeoutMs` is over. Rejects with the task's ApiError, or
   * master_not_discovered_exception.
   */
  submit<T extends string>(
    task: T,
    body: T extends keyof TaskBodies ? TaskBodies[T] : unknown,
    options?: SubmitOptions,
  ): Promise<unknown>;
  /** Resolves with true when an applied state meets the condition, with false after `timeoutMs`. */
  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean>;
  /** Returns the queued tasks of the elected master. */
  pendingTasks(): Promise<readonly PendingTask[]>;
  /** Masters that this node followed in the last half hour, oldest first; null for a time without one. */
  recentMasters(): readonly (NodeInfo | null)[];
  /** Statistics of the coordination of this node since its start. */
  statistics(): Promise<CoordinationStatistics>;
  close(): Promise<void>;
}
