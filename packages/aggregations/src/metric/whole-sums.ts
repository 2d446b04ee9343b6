/**
 * Tells whether sums over all batches so far are exact as plain sums of doubles: whole numbers that cannot add up to
 * 2^53.
 */
export interface WholeSums {
  /**
   * Counts a batch of `count` values that are no further from 0 than `bound` (infinite: not whole numbers). Once false
   * it stays so.
   */
  holds(count: number, bound: number): boolean;
}

/** Of sums of values (`power` 1) or of squares (2). */
export function wholeSums(power: 1 | 2): WholeSums {
  let reach = 0;
  return {
    holds(count, bound) {
      reach += count * bound ** power;
      return reach <= Number.MAX_SAFE_INTEGER;
    },
  };
}
