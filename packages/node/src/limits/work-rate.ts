/** The rate is measured over windows of this length, while there is a backlog. */
const WINDOW_MS = 100;
/** Weight of the newest window. */
const NEWEST = 0.3;

/** A rate that was last measured so long ago says nothing about other work. */
const AGE_MAX_MS = 10_000;

/** How fast a backlog is worked off. */
export interface Rate {
  /** Of the last windows with a backlog; 0 when there was none lately. */
  readonly perMs: number;
  /** One more is done. */
  count(hasBacklog: boolean): void;
}

/** Without a backlog the rate says how much is asked for, not how much can be done: it is not measured then. */
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
