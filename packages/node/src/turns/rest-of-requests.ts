import type { TurnDoors } from './turn-doors.js';
import { WorkMeter } from './work-meter.js';

/** Length in milliseconds of the windows over which the rest is measured, and the fewest requests that tell of it. */
const WINDOW_MS = 100;
const REQUESTS_MIN = 10;
/** Weight of the newest window in the average. */
const NEWEST = 0.2;

/**
 * What a request costs besides the spans of work that are charged to its kind: reading it from its socket, and the
 * refusal if it gets one. It is the time that the thread works outside of all spans, divided among the requests that
 * arrive. Kinds pay for those that start: if they paid for refusals too, a kind of which very much is asked would spend
 * its share on refusing.
 */
export class RestOfRequests {
  readonly #now: () => number;
  /** Absent where nobody measures how long the event loop works. */
  readonly #meter: WorkMeter | null;
  #sinceMs = 0;
  #spansMs = 0;
  #requests = 0;
  #averageMs = 0;

  constructor({ now, processorMs, busyMs }: TurnDoors) {
    this.#now = now;
    this.#meter = busyMs === undefined ? null : new WorkMeter(busyMs, processorMs);
  }

  /** Counts a span of `ms`. */
  spent(ms: number): void {
    this.#spansMs += ms;
  }

  /** Counts a request that has arrived. */
  arrived(): void {
    if (this.#meter === null) return;
    this.#requests++;
    const at = this.#now();
    if (at - this.#sinceMs > WINDOW_MS) this.#endWindow(at, this.#meter);
  }

  /** Milliseconds of the rest of a request. */
  get averageMs(): number {
    return this.#averageMs;
  }

  #endWindow(at: number, meter: WorkMeter): void {
    const isMeasured = at - this.#sinceMs < 2 * WINDOW_MS && this.#requests >= REQUESTS_MIN;
    const restMs = Math.max(0, meter.end() - this.#spansMs) / this.#requests;
    if (isMeasured) this.#averageMs += NEWEST * (restMs - this.#averageMs);
    meter.begin();
    [this.#sinceMs, this.#spansMs, this.#requests] = [at, 0, 0];
  }
}
