import type { Clock, TimerHandle } from '@shoal/doors';
import type { ClusterState } from '@shoal/state';

interface Wait {
  readonly version: number;
  readonly missing: Set<string>;
  readonly resolve: (isAcknowledged: boolean) => void;
  timer: TimerHandle | null;
}

/** Tracks on the elected master which node has applied which version, and the tasks that wait for all nodes. */
export class AcknowledgementWaits {
  readonly #clock: Clock;
  readonly #applied = new Map<string, number>();
  #waits: Wait[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  applied(nodeId: string, version: number): void {
    this.#applied.set(nodeId, Math.max(version, this.#applied.get(nodeId) ?? 0));
    for (const wait of this.#waits) if (wait.version <= version) wait.missing.delete(nodeId);
    this.#settle();
  }

  /**
   * Resolves with true once all nodes of `state` have applied `version` or a later one; with false after `timeoutMs`.
   */
  wait(state: ClusterState, version: number, timeoutMs: number): Promise<boolean> {
    const missing = new Set(
      [...state.nodes.keys()].filter((id) => id !== state.masterNodeId && (this.#applied.get(id) ?? 0) < version),
    );
    if (missing.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const wait: Wait = { version, missing, resolve, timer: null };
      this.#waits.push(wait);
      wait.timer = this.#clock.after(Math.max(0, timeoutMs), () => {
        this.#waits = this.#waits.filter((other) => other !== wait);
        resolve(false);
      });
    });
  }

  /** Stops waiting for nodes that are not in `state`. */
  nodesOf(state: ClusterState): void {
    for (const id of this.#applied.keys()) if (!state.nodes.has(id)) this.#applied.delete(id);
    for (const { missing } of this.#waits) for (const id of missing) if (!state.nodes.has(id)) missing.delete(id);
    this.#settle();
  }

  /** Ends all waits, as no more acknowledgements will arrive. */
  close(): void {
    for (const { timer, resolve } of this.#waits.splice(0)) {
      timer?.cancel();
      resolve(false);
    }
  }

  #settle(): void {
    const settled = this.#waits.filter(({ missing }) => missing.size === 0);
    if (settled.length === 0) return;
    this.#waits = this.#waits.filter((wait) => !settled.includes(wait));
    for (const { timer, resolve } of settled) {
      timer?.cancel();
      resolve(true);
    }
  }
}
