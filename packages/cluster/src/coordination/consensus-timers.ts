import type { Clock, TimerHandle } from '@shoal/doors';

/** The timers of the consensus state machine by id, over the node's clock. */
export class ConsensusTimers {
  readonly #clock: Clock;
  readonly #fired: (id: string) => void;
  readonly #running = new Map<string, TimerHandle>();

  /** `fired` is called once for each timer that was neither cancelled nor set again. */
  constructor(clock: Clock, fired: (id: string) => void) {
    this.#clock = clock;
    this.#fired = fired;
  }

  /** Starts the timer `id`, in place of a running one of that id. */
  set(id: string, delayMs: number): void {
    this.cancel(id);
    const timer = this.#clock.after(delayMs, () => {
      this.#running.delete(id);
      this.#fired(id);
    });
    this.#running.set(id, timer);
  }

  cancel(id: string): void {
    this.#running.get(id)?.cancel();
    this.#running.delete(id);
  }

  /** Cancels all timers when the node closes. */
  close(): void {
    for (const timer of this.#running.values()) timer.cancel();
  }
}
