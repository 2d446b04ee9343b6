/** Work that has given the thread back is taken up again for so long before the event loop looks at its sockets. */
const TURN_MS = 10;

/** A turn of the event loop accepts one connection: after a long one the sockets are looked at once for each so many milliseconds, at most so often. */
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
 * A `yield` for many: those that wait go on in order, as many in a turn of the event loop as there is time for. If all of them went on in each turn, a
 * hundred searches or bulks with slices of 8 ms would keep new requests, and connections, of which a turn accepts one, waiting for a second.
 */
export function createFairYield({ now, later, settled }: TurnDoors): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  let [since, left] = [0, 0];
  const next = (): void => {
    left--;
    waiting.shift()!();
    settled(() => (left > 0 && now() - since < TURN_MS ? next() : end()));
  };
  const end = (): void => {
    isScheduled = waiting.length > 0;
    if (isScheduled) poll(Math.min(POLLS_MAX, Math.floor((now() - since) / POLL_EVERY_MS)));
  };
  const poll = (more: number): void => later(more <= 1 ? begin : () => poll(more - 1));
  /** Who yields again in this turn waits for the next one. */
  const begin = (): void => {
    [since, left] = [now(), waiting.length];
    next();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      later(begin);
    });
}
