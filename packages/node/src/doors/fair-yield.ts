/** Work that has given the thread back is taken up again for so long before the event loop looks at its sockets. */
const TURN_MS = 10;
/**
 * Where sockets have much, the work gets this many times what they have taken since its last turn, so that it keeps
 * four fifths of the thread ...
 */
const WORK_SHARE = 4;
/** ... but no more than this at a time. */
const TURN_MAX_MS = 32;
/**
 * A turn of the event loop accepts one connection: after a long one the sockets are looked at once for each so many
 * milliseconds, at most so often.
 */
const POLL_EVERY_MS = 5;
const POLLS_MAX = 64;

/** What turns are made of. */
export interface TurnDoors {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs a callback in the next turn of the event loop, after its sockets. */
  readonly later: (callback: () => void) => void;
  /** Runs a callback once everything that is ready by now has run. */
  readonly settled: (callback: () => void) => void;
}

/**
 * A `yield` for many: those that wait go on in order, as many in a turn of the event loop as there is time for. If all
 * of them went on in each turn, a hundred searches or bulks with slices of 8 ms would keep new requests, and
 * connections, of which a turn accepts one, waiting for a second.
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
  /** Who yields again in this turn waits for the next one. `idleMs`: since the last one. */
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
