/** Milliseconds that yielded work may run in a turn before the event loop looks at its sockets. */
const TURN_MS = 10;
/**
 * If sockets are busy, work runs this many times as long as the sockets took since its last turn. So work keeps four
 * fifths of the thread.
 */
const WORK_SHARE = 4;
/** Upper limit of a turn in milliseconds, however busy the sockets are. */
const TURN_MAX_MS = 32;
/**
 * A turn of the event loop accepts one connection. After a long turn the sockets are polled once for each
 * `POLL_EVERY_MS` milliseconds of the turn, at most `POLLS_MAX` times.
 */
const POLL_EVERY_MS = 5;
const POLLS_MAX = 64;

/** Clock and event loop, as far as turns of work need them. */
export interface TurnDoors {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs a callback in the next turn of the event loop, after its sockets. */
  readonly later: (callback: () => void) => void;
  /** Runs a callback after all microtasks and ticks that are due now. */
  readonly settled: (callback: () => void) => void;
}

/**
 * Creates a `yield` that many searches and bulks share. Waiting callers go on in order, as many in a turn of the event
 * loop as there is time for. If all went on in each turn, a hundred searches with slices of 8 ms would keep new
 * requests and connections waiting for a second (a turn accepts one connection).
 */
export function createFairYield({ now, later, settled }: TurnDoors): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  let [since, left, endMs] = [0, 0, 0];
  const next = (): void => {
    left--;
    waiting.shift()!();
    settled(() => (left > 0 && now() < endMs ? next() : end()));
  };
  const end = (): void => {
    isScheduled = waiting.length > 0;
    const at = now();
    if (isScheduled) poll(at, Math.min(POLLS_MAX, Math.floor((at - since) / POLL_EVERY_MS)));
  };
  const poll = (from: number, more: number): void =>
    later(() => (more > 1 && (now() - from) * WORK_SHARE < from - since ? poll(from, more - 1) : begin(now() - from)));
  /**
   * Runs the callers that wait now; callers that yield again wait for the next turn. `idleMs`: time since the last
   * turn.
   */
  const begin = (idleMs: number): void => {
    [since, left] = [now(), waiting.length];
    endMs = since + Math.min(TURN_MAX_MS, Math.max(TURN_MS, WORK_SHARE * idleMs));
    next();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      later(() => begin(0));
    });
}
