import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import {
  type ClusterBlock,
  type ClusterState,
  type NodeInfo,
  clusterSetting,
  type FlatSettings,
  emptyState,
} from '@shoal/state';
import { NOT_RECOVERED_BLOCK } from '../metadata/state-recovery.js';
import type { ClusterService, PendingTask, StateApplier, SubmitOptions } from '../service.js';
import type { CoordinationStatistics } from './coordination-statistics.js';
import { MasterHistory } from './master-history.js';
import { StateWaiters } from './state-waiters.js';

/** Blocked levels by value of `cluster.no_master_block`. */
const NO_MASTER_LEVELS: Readonly<Record<string, ClusterBlock['levels']>> = {
  write: ['write', 'metadata_write'],
  metadata_write: ['metadata_write'],
  all: ['read', 'write', 'metadata_read', 'metadata_write'],
};

/**
 * Makes the block of a node that knows no elected master. By default reads continue on the last state, while writes and
 * metadata calls are refused.
 */
function noMasterBlock(state: ClusterState, nodeSettings: FlatSettings): ClusterBlock {
  const levels =
    NO_MASTER_LEVELS[String(clusterSetting(state, 'cluster.no_master_block', nodeSettings))] ??
    NO_MASTER_LEVELS['write']!;
  return { id: 2, description: 'no master', retryable: true, levels, indexUuid: null };
}

/** Access to the coordination of the node, on whatever thread it runs. */
export interface CoordinationAccess {
  submit(task: string, body: unknown, options: SubmitOptions): Promise<unknown>;
  pendingTasks(): Promise<readonly PendingTask[]>;
  statistics(): Promise<CoordinationStatistics>;
  close(): Promise<void>;
}

/** Coordination, local node and settings of `AppliedCluster`. */
export interface AppliedClusterOptions {
  readonly clock: Clock;
  readonly clusterName: string;
  /** The local node: the only one known before there is a state. */
  readonly localNode: NodeInfo;
  readonly coordination: CoordinationAccess;
  /** Flat settings of the configuration file. */
  readonly nodeSettings: FlatSettings;
  /** Applies a committed state on the other threads of the node. */
  readonly next: StateApplier;
}

/**
 * The cluster as the request thread sees it: the last applied state, with a block while no master is known. Tasks are
 * passed to the coordination of the node, which finds the master.
 */
export class AppliedCluster implements ClusterService, StateApplier {
  readonly #options: AppliedClusterOptions;
  /** The committed state. */
  #committed: ClusterState;
  /** The state that callers see: without a master it has the block. */
  #shown: ClusterState;
  #leaderId: string | null = null;
  readonly #waiters: StateWaiters;
  readonly #history: MasterHistory;
  #isClosed = false;

  constructor(options: AppliedClusterOptions) {
    this.#options = options;
    this.#waiters = new StateWaiters(options.clock);
    this.#history = new MasterHistory(options.clock);
    const { clusterName, localNode } = options;
    this.#committed = {
      ...emptyState(),
      clusterName,
      nodes: new Map([[localNode.id, localNode]]),
      blocks: [NOT_RECOVERED_BLOCK],
    };
    this.#shown = this.#withoutLeader();
  }

  state(): ClusterState {
    return this.#shown;
  }

  /** Applies a state on the other threads first, so that a request that sees the state finds its shards up to date. */
  async apply(state: ClusterState, previous: ClusterState): Promise<void> {
    await this.#options.next.apply(state, previous);
    this.#committed = state;
    this.#show();
  }

  /** Called when the node follows another master, or none (null). */
  leaderChanged(leaderId: string | null): void {
    this.#leaderId = leaderId;
    this.#show();
  }

  submit(task: string, body: unknown, options: SubmitOptions = {}): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(errors.masterNotDiscovered(null));
    return this.#options.coordination.submit(task, body, options);
  }

  pendingTasks(): Promise<readonly PendingTask[]> {
    return this.#options.coordination.pendingTasks();
  }

  statistics(): Promise<CoordinationStatistics> {
    return this.#options.coordination.statistics();
  }

  recentMasters(): readonly (NodeInfo | null)[] {
    return this.#history.recent();
  }

  waitFor(condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean> {
    return this.#waiters.wait(this.#shown, condition, timeoutMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.coordination.close();
    this.#waiters.close();
  }

  #withoutLeader(): ClusterState {
    return {
      ...this.#committed,
      masterNodeId: null,
      blocks: [...this.#committed.blocks, noMasterBlock(this.#committed, this.#options.nodeSettings)],
    };
  }

  #show(): void {
    // A new master is shown once a state that names it as master is applied.
    const isLed = this.#leaderId !== null && this.#committed.masterNodeId === this.#leaderId;
    this.#shown = isLed ? this.#committed : this.#withoutLeader();
    this.#history.note(isLed ? (this.#committed.nodes.get(this.#leaderId!) ?? null) : null);
    this.#waiters.notify(this.#shown);
  }
}
