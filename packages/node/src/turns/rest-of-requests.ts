import type { TurnDoors } from './turn-doors.js';

/** Length in milliseconds of the windows over which the rest is measured, and the fewest requests that tell of it. */
const WINDOW_MS = 100;
const REQUESTS_MIN = 10;
/** Weight of the newest window in the average. */
const NEWEST = 0.2;

/**
 * What a request costs besides the spans of work that are charged to its kind: reading it from its socket, what comes
 * after it has waited for a disk or another node, and its answer. It is the busy time of the event loop outside of all
 * spans, divided among requests: half of what a get takes, little of what an aggregation takes.
 */
export class RestOfRequests {
  readonly #doors: TurnDoors;
  #sinceMs = 0;
  #busyMs = 0;
  #spansMs = 0;
  #requests = 0;
  #averageMs = 0;

  constructor(doors: TurnDoors) {
    this.#doors = doors;
  }

  /** Counts a span of `ms` in which so many requests started; returns the milliseconds of their rest. */
  count(requests: number, ms: number): number {
    const { busyMs, now } = this.#doors;
    if (busyMs === undefined) return 0;
    this.#requests += requests;
    this.#spansMs += ms;
    const at = now();
    if (at - this.#sinceMs > WINDOW_MS) this.#endWindow(at, busyMs());
    return requests * this.#averageMs;
  }

  #endWindow(at: number, busyMs: number): void {
    const isMeasured = at - this.#sinceMs < 2 * WINDOW_MS && this.#requests >= REQUESTS_MIN;
    const restMs = Math.max(0, busyMs - this.#busyMs - this.#spansMs) / this.#requests;
    if (isMeasured) this.#averageMs += NEWEST * (restMs - this.#averageMs);
    [this.#sinceMs, this.#busyMs, this.#spansMs, this.#requests] = [at, busyMs, 0, 0];
  }
}
