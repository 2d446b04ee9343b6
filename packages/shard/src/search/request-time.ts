/** The time of one request, which knows whether its answer depends on it. */
export class RequestTime {
  /** Whether something has asked for the time: date math with `now`, a decay without origin, a random score. */
  isAsked = false;
  /** Returns when the request was made, UTC milliseconds; for `PlanContext.now`. */
  readonly now: () => number;

  /**
   * The time of a request that was made at `nowMs`. A search's plans and aggregations ask for it exactly where they
   * depend on it, whatever its text looks like: `"gte": "now-1h"` of a date does, `"\u006eow-1h"` does, and a text
   * field that is searched for `now` does not.
   */
  constructor(nowMs: number) {
    this.now = () => {
      this.isAsked = true;
      return nowMs;
    };
  }
}
