/** The time of one request. Records whether the result depends on it. */
export class RequestTime {
  /** Whether anything has read the time: date math with `now`, a decay without origin, a random score. */
  isAsked = false;
  /** Returns the time of the request, UTC milliseconds; for `PlanContext.now`. */
  readonly now: () => number;

  /**
   * `nowMs` is the time of the request. Plans and aggregations read the time exactly where they depend on it, whatever
   * the body's text looks like. A date's `"gte": "now-1h"` reads it, so does `"\u006eow-1h"`. A search for `now` in a
   * text field does not.
   */
  constructor(nowMs: number) {
    this.now = () => {
      this.isAsked = true;
      return nowMs;
    };
  }
}
