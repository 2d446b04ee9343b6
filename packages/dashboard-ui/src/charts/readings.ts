/** What the server noted of the cluster at one moment (`GET /api/home`). */
export interface Reading {
  readonly at: number;
  readonly status: string;
  readonly nodes: readonly string[];
  readonly master: string | null;
  readonly indices: number;
  readonly documents: number;
  readonly shards: { readonly active: number; readonly starting: number; readonly unassigned: number };
  readonly indexedPerSecond: number | null;
  readonly searchesPerSecond: number | null;
}

/** Average of readings within a span of time. */
export interface RateBucket {
  readonly at: number;
  readonly indexed: number | null;
  readonly searches: number | null;
}

/** Averages rates over buckets of `bucketMs` up to the last reading, oldest first; null where nothing is known. */
export function rateBuckets(readings: readonly Reading[], bucketMs: number, count: number): readonly RateBucket[] {
  const last = readings.at(-1)?.at ?? 0;
  const end = Math.floor(last / bucketMs) * bucketMs;
  return Array.from({ length: count }, (_, i) => {
    const at = end - (count - 1 - i) * bucketMs;
    const within = readings.filter((one) => one.at >= at && one.at < at + bucketMs);
    return {
      at,
      indexed: mean(within.map(({ indexedPerSecond }) => indexedPerSecond)),
      searches: mean(within.map(({ searchesPerSecond }) => searchesPerSecond)),
    };
  });
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
