import { errors } from '@shoal/errors';
import type { Scratch } from '@shoal/query';
import type { AggregationType } from '../aggregation-type.js';
import { onlyBucket } from '../collect/buckets.kernel.js';
import { growDoubles } from '../collect/growable.js';
import type { Reduced } from '../reduce/reduced.js';
import { type Formatter, formatIn } from '../source/format.js';
import { compensatedSum } from './compensated-sum.js';
import { type NumberAccumulator, numberMetric, type NumberPartial } from './number-metric.js';
import { addMaxima, addMinima, addSums, foldWhole } from './sums.kernel.js';
import { wholeSums } from './whole-sums.js';
import { METRIC_KINDS } from '../source/value-kinds.js';

/** Names of the numbers of stats in paths. */
export const STATS_NAMES: readonly string[] = ['count', 'sum', 'min', 'max', 'avg'];

/** Count, sum, minimum and maximum; infinite minimum and maximum when there is no value. */
export interface Stats {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Partial result: count `c`, sum `s`, minimum `n` and maximum `x`. */
export type StatsState = { readonly c: number; readonly s: number; readonly n: number; readonly x: number };

/** Accumulates `Stats`. */
export function statsAccumulator(scratch?: Scratch): NumberAccumulator<StatsState> {
  let sums = new Float64Array(0);
  let deltas = new Float64Array(0);
  let counts = new Float64Array(0);
  let minima = new Float64Array(0);
  let maxima = new Float64Array(0);
  const whole = wholeSums(1);
  return {
    reserve(buckets) {
      sums = growDoubles(sums, buckets, 0, scratch);
      deltas = growDoubles(deltas, buckets, 0, scratch);
      counts = growDoubles(counts, buckets, 0, scratch);
      minima = growDoubles(minima, buckets, Number.POSITIVE_INFINITY, scratch);
      maxima = growDoubles(maxima, buckets, Number.NEGATIVE_INFINITY, scratch);
    },
    add(values, buckets, count, bound) {
      const only = whole.holds(count, bound) ? onlyBucket(buckets, count) : -1;
      if (only >= 0) return foldWhole(values, only, count, sums, counts, minima, maxima);
      addSums(values, buckets, count, sums, deltas, counts);
      addMinima(values, buckets, count, minima);
      addMaxima(values, buckets, count, maxima);
    },
    partial: (bucket) => ({
      c: counts[bucket]!,
      s: sums[bucket]! + deltas[bucket]!,
      n: minima[bucket]!,
      x: maxima[bucket]!,
    }),
  };
}

/** Merges the partial results of `statsAccumulator`. */
export function mergeStats(partials: readonly (NumberPartial<StatsState> | null)[]): Stats {
  const all = partials.filter((p): p is StatsState => p?.c !== undefined);
  return {
    count: all.reduce((n, p) => n + p.c, 0),
    sum: compensatedSum(all.map((p) => p.s)),
    min: all.reduce((n, p) => Math.min(n, p.n), Number.POSITIVE_INFINITY),
    max: all.reduce((n, p) => Math.max(n, p.x), Number.NEGATIVE_INFINITY),
  };
}

/** The text of a number of stats as it prints: a boolean prints as such. */
export function shownValue(value: number, format: Formatter): string | boolean | null {
  return format.spec.k === 'boolean' ? value !== 0 : format.shown(value);
}

/** Renders stats. */
export function statsJson(stats: Stats, format: Formatter): Record<string, unknown> {
  const { count, sum } = stats;
  if (count === 0) return { count, min: null, max: null, avg: null, sum: 0 };
  const values = { min: stats.min, max: stats.max, avg: sum / count, sum };
  const texts = Object.entries(values).map(
    ([name, value]) => [`${name}_as_string`, shownValue(value, format)] as const,
  );
  return { count, ...values, ...(texts[0]![1] === null ? {} : Object.fromEntries(texts)) };
}

/** Makes a result whose numbers can be read by path under their names in `json`. */
export function namedNumbers(typedName: string, json: Record<string, unknown>): Reduced {
  return {
    typedName,
    buckets: null,
    value(property) {
      const value = property !== null && Object.hasOwn(json, property) ? json[property] : undefined;
      // A number that is not defined for the values prints as text.
      if (value === 'NaN') return null;
      return typeof value === 'number' || value === null ? value : undefined;
    },
    unknownProperty: (property) =>
      errors.illegalArgument(
        `No enum constant org.elasticsearch.search.aggregations.metrics.InternalStats.Metrics.${property}`,
      ),
    render: () => json,
  };
}

/** Count, minimum, maximum, average and sum of a numeric field. */
export const stats: AggregationType<NumberPartial<StatsState>> = {
  name: 'stats',
  valueKinds: METRIC_KINDS,
  prints: { wholeMembers: ['count'] },
  parse: (site) => ({
    ...numberMetric(site, statsAccumulator, (partials) =>
      namedNumbers('stats', statsJson(mergeStats(partials), formatIn(partials))),
    ),
    numbers: (name) => STATS_NAMES.includes(name),
  }),
};
