/** Upper bounds of the classes of handling times, in milliseconds; one more class has no bound. */
export const HANDLING_BOUNDS_MS: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000,
];

/** Answers of one route, or of all routes of one call. */
export interface RouteStats {
  /** Number of answers by status class, as in `HttpStats`. */
  readonly answers: number[];
  /** Sum of their times from the headers to the answer, in milliseconds. */
  totalMs: number;
  /** Number of answers by handling time, in the classes of `HANDLING_BOUNDS_MS` and one for longer times. */
  readonly times: number[];
}

/** Creates counters at zero. */
export function newRouteStats(): RouteStats {
  return {
    answers: [0, 0, 0, 0, 0, 0],
    totalMs: 0,
    times: Array.from({ length: HANDLING_BOUNDS_MS.length + 1 }, () => 0),
  };
}

/** Counts an answer. */
export function countAnswer(stats: RouteStats, status: number, ms: number): void {
  stats.answers[Math.floor(status / 100)]!++;
  stats.totalMs += ms;
  let place = 0;
  while (place < HANDLING_BOUNDS_MS.length && ms > HANDLING_BOUNDS_MS[place]!) place++;
  stats.times[place]!++;
}
