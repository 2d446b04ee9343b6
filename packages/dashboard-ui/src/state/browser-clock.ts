/** The browser's time. The one place that takes it from the browser. */
export const clock = {
  /** Milliseconds since 1970; may jump. */
  now: (): number => Date.now(),
  /** Milliseconds with fractions that only grow, for durations. */
  monotonic: (): number => performance.now(),
};
