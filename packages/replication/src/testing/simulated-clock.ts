import type { Clock, TimerHandle } from '@shoal/doors';

interface Timer {
  readonly at: number;
  readonly serial: number;
  readonly callback: () => void;
}

const START_MS = 1_700_000_000_000;

/** Virtual time, which advances only when an event runs. */
export class SimulatedClock implements Clock {
  #time = 0;
  #serial = 0;
  readonly #timers = new Map<number, Timer>();

  now(): number {
    return START_MS + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  after(delayMs: number, callback: () => void): TimerHandle {
    const serial = this.#serial++;
    this.#timers.set(serial, { at: this.#time + Math.max(0, delayMs), serial, callback });
    return { cancel: () => void this.#timers.delete(serial) };
  }

  yield(): Promise<void> {
    return Promise.resolve();
  }

  lane(): () => Promise<void> {
    return () => this.yield();
  }

  aside(): Promise<void> {
    return this.yield();
  }

  turnEnd(callback: () => void): void {
    queueMicrotask(callback);
  }

  /**
   * Runs the next event that is due by `untilMs`, and all work that follows from it. Returns false if there is none.
   */
  async runNext(untilMs: number): Promise<boolean> {
    let next: Timer | null = null;
    for (const timer of this.#timers.values()) {
      if (
        timer.at <= untilMs &&
        (next === null || timer.at < next.at || (timer.at === next.at && timer.serial < next.serial))
      )
        next = timer;
    }
    if (next === null) {
      this.#time = Math.max(this.#time, untilMs);
      return false;
    }
    this.#timers.delete(next.serial);
    this.#time = Math.max(this.#time, next.at);
    next.callback();
    // All work between events is in promises: they settle before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  }
}

/** Creates the clock of a process: its timers end with the process. */
export function clockOf(clock: SimulatedClock, isAlive: () => boolean): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    yield: () => clock.yield(),
    lane: () => clock.lane(),
    aside: () => clock.aside(),
    turnEnd: (callback) => clock.turnEnd(callback),
    after: (delayMs, callback) =>
      clock.after(delayMs, () => {
        if (isAlive()) callback();
      }),
  };
}
