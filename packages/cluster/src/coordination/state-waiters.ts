import type { Clock, TimerHandle } from '@shoal/doors';
import type { ClusterState } from '@shoal/state';

interface Waiter {
  readonly condition: (state: ClusterState) => boolean;
  readonly resolve: (met: boolean) => void;
  timer: TimerHandle | null;
}

/** Callers that wait for a state that meets a condition. */
export class StateWaiters {
  readonly #clock: Clock;
  #waiters: Waiter[] = [];
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves with true at the first state that meets the condition, with false after `timeoutMs`; a negative
   * `timeoutMs` is no limit.
   */
  wait(current: ClusterState, condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean> {
    if (condition(current)) return Promise.resolve(true);
    if (timeoutMs === 0 || this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = { condition, resolve, timer: null };
      this.#waiters.push(waiter);
      if (timeoutMs < 0) return;
      waiter.timer = this.#clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
    });
  }

  notify(state: ClusterState): void {
    const met = this.#waiters.filter(({ condition }) => condition(state));
    if (met.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const { timer, resolve } of met) {
      timer?.cancel();
      resolve(true);
    }
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    for (const { timer, resolve } of this.#waiters.splice(0)) {
      timer?.cancel();
      resolve(false);
    }
  }
}
