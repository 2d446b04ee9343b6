/** Upper bounds of the classes that handling times are counted in, in milliseconds; one more is without a bound. */
export const HANDLING_BOUNDS_MS: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000,
];

/** What was answered on one route, or on all routes of one call. */
export interface RouteStats {
  /** Answers by status class, as in `HttpStats`. */
  readonly answers: number[];
  /** Milliseconds of all of them, from the request's headers to the answer. */
  totalMs: number;
  /** Answers by handling time: beside `HANDLING_BOUNDS_MS`, the last for longer ones. */
  readonly times: number[];
}

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
