/** A timer set by `Clock.after`. */
export interface TimerHandle {
  /** Stops the timer; does nothing if it has run already. */
  cancel(): void;
}

/** Time and timers. Production passes the system clock, tests a `fakeClock`, the simulator virtual time. */
export interface Clock {
  /** Wall time in milliseconds since 1970; may jump. */
  now(): number;
  /** Monotonic milliseconds with fractions, for durations. */
  monotonic(): number;
  /** Runs `callback` once after `delayMs`; the timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): TimerHandle;
  /** Resolves in a later turn of the event loop, so that other callbacks run in between. */
  yield(): Promise<void>;
  /**
   * Returns a `yield` for a call that takes long: what comes after it is work of the kind that runs now, whatever kind
   * the call has waited for meanwhile. Example: a copy of an index reads its pages by searches, and is none.
   */
  lane(): () => Promise<void>;
  /**
   * Resolves in a later turn; what comes after it is work that nobody waits for, behind requests. Example: a datafeed
   * reads a page.
   */
  aside(): Promise<void>;
  /** Runs `callback` at the end of this turn of the event loop: after the I/O that was ready when the turn began. */
  turnEnd(callback: () => void): void;
}

/** A clock that tests turn by hand. */
export interface FakeClock extends Clock {
  /** Moves time on by `ms` and runs the timers that fall due, in order of their time. */
  advance(ms: number): void;
}

/** A `FakeClock` whose time stands still until `advance`; wall and monotonic time are the same number. */
export function fakeClock(startMs = 1_700_000_000_000): FakeClock {
  let time = startMs;
  let serial = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  const nextDue = (limit: number): number | undefined => {
    let best: number | undefined;
    for (const [id, timer] of timers) {
      if (timer.at <= limit && (best === undefined || timer.at < timers.get(best)!.at)) best = id;
    }
    return best;
  };
  return {
    now: () => time,
    monotonic: () => time,
    after(delayMs, callback) {
      const id = serial++;
      timers.set(id, { at: time + delayMs, callback });
      return { cancel: () => void timers.delete(id) };
    },
    yield: () => Promise.resolve(),
    lane: () => () => Promise.resolve(),
    aside: () => Promise.resolve(),
    turnEnd: queueMicrotask,
    advance(ms) {
      const end = time + ms;
      for (let id = nextDue(end); id !== undefined; id = nextDue(end)) {
        const timer = timers.get(id)!;
        timers.delete(id);
        time = timer.at;
        timer.callback();
      }
      time = end;
    },
  };
}
