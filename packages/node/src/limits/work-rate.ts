/** Length in milliseconds of the windows over which the rate is measured. Only windows with a backlog count. */
const WINDOW_MS = 100;
/** Weight of the newest window in the average. */
const NEWEST = 0.3;

/** Age in milliseconds from which on a rate is dropped: it says nothing about other work. */
const AGE_MAX_MS = 10_000;

/** Throughput while there is a backlog. */
export interface Rate {
  /** Requests finished per millisecond in the last windows with a backlog; 0 if there was none lately. */
  readonly perMs: number;
  /** Counts a finished request. `hasBacklog`: whether others wait. */
  count(hasBacklog: boolean): void;
}

/**
 * Creates a rate that is measured only while there is a backlog. Without one the throughput shows the demand, not the
 * capacity.
 */
export function createRate(now: () => number): Rate {
  let [perMs, start, done, measuredAt] = [0, 0, 0, 0];
  return {
    get perMs() {
      if (perMs > 0 && now() - measuredAt > AGE_MAX_MS) perMs = 0;
      return perMs;
    },
    count(hasBacklog) {
      if (!hasBacklog) return void (start = 0);
      const at = now();
      if (start === 0) [start, done] = [at, 0];
      else done++;
      if (at - start < WINDOW_MS) return;
      const sample = done / (at - start);
      perMs = perMs === 0 ? sample : (1 - NEWEST) * perMs + NEWEST * sample;
      [start, done, measuredAt] = [at, 0, at];
    },
  };
}
