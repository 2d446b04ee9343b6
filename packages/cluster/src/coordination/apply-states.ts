import type { Clock } from '@shoal/doors';
import { type ClusterState, emptyState } from '@shoal/state';
import type { CoordinationStatistics } from './coordination-statistics.js';

/** A committed state: the consensus state machine knows that a quorum has accepted it. */
export interface CommittedState {
  readonly term: number;
  readonly version: number;
  readonly state: ClusterState;
}

/** Where committed states are applied. */
export interface ApplyStatesOptions {
  readonly clock: Clock;
  readonly apply: (state: ClusterState, previous: ClusterState) => Promise<void>;
  readonly applied: (committed: CommittedState) => void;
  /** Called when a committed state could not be applied: the node must stop. */
  readonly failed: (error: unknown) => void;
  readonly statistics: CoordinationStatistics['applied'];
}

/**
 * Applies committed states one after another. If several are committed while one is applied, only the newest follows
 * (I8).
 */
export class ApplyStates {
  readonly #options: ApplyStatesOptions;
  #applied: ClusterState = emptyState();
  #next: CommittedState | null = null;
  #isApplying = false;

  constructor(options: ApplyStatesOptions) {
    this.#options = options;
  }

  /** The last applied state. */
  get state(): ClusterState {
    return this.#applied;
  }

  commit(committed: CommittedState): void {
    this.#next = committed;
    if (!this.#isApplying) void this.#applyAll();
  }

  async #applyAll(): Promise<void> {
    const { clock, apply, applied, failed, statistics } = this.#options;
    this.#isApplying = true;
    try {
      for (let next = this.#next; next; next = this.#next) {
        this.#next = null;
        const startedAt = clock.monotonic();
        await apply(next.state, this.#applied);
        statistics.count++;
        statistics.ms += clock.monotonic() - startedAt;
        this.#applied = next.state;
        applied(next);
      }
    } catch (error) {
      failed(error);
    } finally {
      this.#isApplying = false;
    }
  }
}
