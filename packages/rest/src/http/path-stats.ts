/** Number of size classes: zero, then powers of two up to 1 GiB and more. */
const SIZE_CLASSES = 32;
/** Number of time classes: below a millisecond, then powers of two up to 65,536 ms and more. */
const TIME_CLASSES = 18;

/** Requests and answers of the routes of one path, `/{index}/_search`. */
export interface PathStats {
  count: number;
  bytesIn: number;
  bytesOut: number;
  /** Counts by class: class 0 is below 1, class n begins at 2^(n-1). */
  readonly sizesIn: number[];
  readonly sizesOut: number[];
  readonly times: number[];
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

/** Creates counters at zero. */
export function newPathStats(): PathStats {
  return {
    count: 0,
    bytesIn: 0,
    bytesOut: 0,
    sizesIn: zeros(SIZE_CLASSES),
    sizesOut: zeros(SIZE_CLASSES),
    times: zeros(TIME_CLASSES),
  };
}

const classOf = (value: number, classes: number): number => Math.min(classes - 1, 32 - Math.clz32(value));

/** Counts a request and its answer; `ms` is the time from the headers to the answer. */
export function countExchange(stats: PathStats, bytesIn: number, bytesOut: number, ms: number): void {
  stats.count++;
  stats.bytesIn += bytesIn;
  stats.bytesOut += bytesOut;
  stats.sizesIn[classOf(bytesIn, SIZE_CLASSES)]!++;
  stats.sizesOut[classOf(bytesOut, SIZE_CLASSES)]!++;
  stats.times[classOf(ms, TIME_CLASSES)]!++;
}

/** Counts from the first to the last class that is not empty. */
function histogram(counts: readonly number[], unit: 'bytes' | 'millis'): object[] {
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  if (first === -1) return [];
  return counts.slice(first, last + 1).map((count, i) => {
    const place = first + i;
    return {
      ...(place === 0 ? {} : { [`ge_${unit}`]: 2 ** (place - 1) }),
      ...(place === counts.length - 1 ? {} : { [`lt_${unit}`]: 2 ** place }),
      count,
    };
  });
}

/** `http.routes` of `GET /_nodes/stats`: the paths with requests, sorted. */
export function pathStatsJson(paths: ReadonlyMap<string, PathStats>): Record<string, unknown> {
  const used = [...paths].filter(([, { count }]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    used.map(([path, { count, bytesIn, bytesOut, sizesIn, sizesOut, times }]) => [
      path,
      {
        requests: { count, total_size_in_bytes: bytesIn, size_histogram: histogram(sizesIn, 'bytes') },
        responses: {
          count,
          total_size_in_bytes: bytesOut,
          size_histogram: histogram(sizesOut, 'bytes'),
          handling_time_histogram: histogram(times, 'millis'),
        },
      },
    ]),
  );
}
