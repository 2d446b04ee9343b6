import type { Scratch } from '@shoal/query';
import { growDoubles } from '../collect/growable.js';
import { compensatedSum } from './compensated-sum.js';
import type { NumberAccumulator, NumberPartial } from './number-metric.js';
import { addSums, addWholeSums } from './sums.kernel.js';
import { wholeSums } from './whole-sums.js';

/** Partial result: sum `s` and number `c` of values. */
export type SumCount = { readonly s: number; readonly c: number };

/** Accumulates a Kahan sum and a count by bucket, for avg and sum. */
export function sumCountAccumulator(scratch?: Scratch): NumberAccumulator<SumCount> {
  let sums = new Float64Array(0);
  let deltas = new Float64Array(0);
  let counts = new Float64Array(0);
  const whole = wholeSums(1);
  return {
    reserve(buckets) {
      sums = growDoubles(sums, buckets, 0, scratch);
      deltas = growDoubles(deltas, buckets, 0, scratch);
      counts = growDoubles(counts, buckets, 0, scratch);
    },
    add(values, buckets, count, bound) {
      if (whole.holds(count, bound)) addWholeSums(values, buckets, count, sums, counts);
      else addSums(values, buckets, count, sums, deltas, counts);
    },
    partial: (bucket) => ({ s: sums[bucket]! + deltas[bucket]!, c: counts[bucket]! }),
  };
}

/** Merges sums and counts of partial results; null is an empty one. */
export function mergeSumCount(all: readonly (NumberPartial<SumCount> | null)[]): { sum: number; count: number } {
  return { sum: compensatedSum(all.map((p) => p?.s ?? 0)), count: all.reduce((n, p) => n + (p?.c ?? 0), 0) };
}
