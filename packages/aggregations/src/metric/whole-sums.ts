/**
 * Tracks whether the values of all batches so far are whole numbers whose sum stays below 2^53: plain sums of doubles
 * are then exact.
 */
export interface WholeSums {
  /**
   * Adds a batch of `count` values at most `bound` away from 0 (Infinity: not whole numbers). Returns false from the
   * first batch on with which the sum may reach 2^53.
   */
  holds(count: number, bound: number): boolean;
}

/** Makes a tracker for sums of values (`power` 1) or of squares (2). */
export function wholeSums(power: 1 | 2): WholeSums {
  let reach = 0;
  return {
    holds(count, bound) {
      reach += count * bound ** power;
      return reach <= Number.MAX_SAFE_INTEGER;
    },
  };
}
