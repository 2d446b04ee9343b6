import type { Clock, TimerHandle } from '@shoal/doors';
import type { ClusterState } from '@shoal/state';

interface Waiter {
  readonly condition: (state: ClusterState) => boolean;
  readonly resolve: (met: boolean) => void;
  readonly reject: (error: unknown) => void;
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
   * `timeoutMs` is no limit. Rejects with what the condition throws.
   */
  async wait(current: ClusterState, condition: (state: ClusterState) => boolean, timeoutMs: number): Promise<boolean> {
    if (condition(current)) return true;
    if (timeoutMs === 0 || this.#isClosed) return false;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { condition, resolve, reject, timer: null };
      this.#waiters.push(waiter);
      if (timeoutMs < 0) return;
      waiter.timer = this.#clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
    });
  }

  /** Shows a state to all who wait. What a condition throws is for its caller: the state is applied all the same. */
  notify(state: ClusterState): void {
    const ended = this.#waiters.filter((waiter) => settles(waiter, state));
    if (ended.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !ended.includes(waiter));
    for (const { timer } of ended) timer?.cancel();
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

function settles({ condition, resolve, reject }: Waiter, state: ClusterState): boolean {
  try {
    if (!condition(state)) return false;
    resolve(true);
  } catch (error) {
    reject(error);
  }
  return true;
}
