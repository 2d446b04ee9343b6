import type { CoordinationStatistics } from './coordination/coordination-statistics.js';
import type { ClusterState, NodeInfo } from '@shoal/state';
import type { Priority } from './tasks/task.js';
import type { TaskBodies } from './tasks/task-bodies.js';

/** Makes a committed state take effect on all threads of the node. */
export interface StateApplier {
  apply(state: ClusterState, previous: ClusterState): Promise<void>;
}

/** A task that waits for its turn or runs. */
export interface PendingTask {
  readonly insertOrder: number;
  readonly priority: Priority;
  readonly source: string;
  readonly executing: boolean;
  readonly queuedMs: number;
}

/** How long a task may take. */
export interface SubmitOptions {
  /** For what follows its publication: acknowledgements of the nodes, shards that it waits for. 30 s unless given. */
  readonly timeoutMs?: number;
  /** For finding a master and coming to its turn. 30 s unless given. */
  readonly masterTimeoutMs?: number;
}

/** The cluster as the rooms above see it, wherever its coordination runs. */
export interface ClusterService {
  /** The last applied state; without `masterNodeId`, and with a block, while no master is known. */
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
  /** Resolves as soon as an applied state satisfies the condition; with false when `timeoutMs` is over before. */
  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean>;
  /** What the elected master has still to do. */
  pendingTasks(): Promise<readonly PendingTask[]>;
  /** Masters that this node followed in the last half hour, oldest first; null where there was none for a while. */
  recentMasters(): readonly (NodeInfo | null)[];
  /** What this node's part in coordination has done so far. */
  statistics(): Promise<CoordinationStatistics>;
  close(): Promise<void>;
}
