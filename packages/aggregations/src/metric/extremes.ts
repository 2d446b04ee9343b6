import type { Scratch } from '@shoal/query';
import type { AggregationType } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { numberResult } from '../reduce/reduced.js';
import { formatIn } from '../source/format.js';
import { type NumberAccumulator, numberMetric, type NumberPartial } from './number-metric.js';
import { addMaxima, addMinima } from './sums.kernel.js';
import { AGGREGATE_KINDS } from '../source/value-kinds.js';

/** Partial result: the smallest or largest value `v`, ±Infinity without values. */
type Extreme = { readonly v: number };

function accumulator(empty: number, add: typeof addMinima, scratch: Scratch | undefined): NumberAccumulator<Extreme> {
  let values = new Float64Array(0);
  return {
    reserve(buckets) {
      values = growDoubles(values, buckets, empty, scratch);
    },
    add: (numbers, buckets, count) => add(numbers, buckets, count, values),
    partial: (bucket) => ({ v: values[bucket]! }),
  };
}

function extreme(
  name: 'min' | 'max',
  empty: number,
  add: typeof addMinima,
  better: (a: number, b: number) => number,
): AggregationType<NumberPartial<Extreme>> {
  const reduceAll = (partials: readonly (NumberPartial<Extreme> | null)[]): number =>
    partials.reduce<number>((best, p) => better(best, p?.v ?? empty), empty);
  return {
    name,
    valueKinds: AGGREGATE_KINDS,
    parse: (site) =>
      numberMetric(
        site,
        (scratch) => accumulator(empty, add, scratch),
        (partials) => {
          const value = reduceAll(partials);
          return Number.isFinite(value)
            ? numberResult(name, value, formatIn(partials).shown(value))
            : numberResult(name, null);
        },
      ),
  };
}

/** Smallest value of a numeric field; null when there is none. */
export const min = extreme('min', Number.POSITIVE_INFINITY, addMinima, Math.min);

/** Largest value of a numeric field; null when there is none. */
export const max = extreme('max', Number.NEGATIVE_INFINITY, addMaxima, Math.max);
