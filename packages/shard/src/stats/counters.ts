/** Number of finished calls, their total time, and the number of running calls. */
export interface CallCounter {
  total: number;
  timeMs: number;
  current: number;
}

/** Returns a counter of no calls. */
export const callCounter = (): CallCounter => ({ total: 0, timeMs: 0, current: 0 });

/** Counters of the phases of searches. */
export interface SearchCounters {
  readonly queries: CallCounter;
  readonly fetches: CallCounter;
  readonly scrolls: CallCounter;
  readonly suggests: CallCounter;
}

/** Returns counters of no searches. */
export const searchCounters = (): SearchCounters => ({
  queries: callCounter(),
  fetches: callCounter(),
  scrolls: callCounter(),
  suggests: callCounter(),
});

/** Counts since the shard was opened. Times are of the thread's clock, so that concurrent work is not counted twice. */
export interface Counters {
  readonly indexing: CallCounter & { failed: number; noops: number };
  readonly deletes: CallCounter;
  readonly gets: CallCounter & { exists: number; existsTimeMs: number; missing: number; missingTimeMs: number };
  readonly refreshes: CallCounter & { external: number; externalTimeMs: number };
  readonly flushes: CallCounter & { periodic: number };
  readonly merges: CallCounter & { docs: number; bytes: number; currentDocs: number; currentBytes: number };
  readonly bulks: CallCounter & { bytes: number };
  readonly queries: CallCounter;
  readonly fetches: CallCounter;
  readonly scrolls: CallCounter;
  readonly suggests: CallCounter;
  /** Counters of searches that named groups (`stats` in their body), by group and phase. */
  readonly groups: Map<string, SearchCounters>;
}

/** Returns counters that are all 0. */
export function createCounters(): Counters {
  return {
    indexing: { ...callCounter(), failed: 0, noops: 0 },
    deletes: callCounter(),
    gets: { ...callCounter(), exists: 0, existsTimeMs: 0, missing: 0, missingTimeMs: 0 },
    refreshes: { ...callCounter(), external: 0, externalTimeMs: 0 },
    flushes: { ...callCounter(), periodic: 0 },
    merges: { ...callCounter(), docs: 0, bytes: 0, currentDocs: 0, currentBytes: 0 },
    bulks: { ...callCounter(), bytes: 0 },
    queries: callCounter(),
    fetches: callCounter(),
    scrolls: callCounter(),
    suggests: callCounter(),
    groups: new Map(),
  };
}
