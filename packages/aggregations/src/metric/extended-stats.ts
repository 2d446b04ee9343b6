import type { Scratch } from '@shoal/query';
import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import type { AggregationType } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { type FieldReader, numberField, readFields } from '../parse/body-fields.js';
import { type Formatter, formatIn } from '../source/format.js';
import { sourceFields, sourceOf } from '../source/values-source.js';
import { compensatedSum } from './compensated-sum.js';
import { type NumberAccumulator, numberBehaviour, type NumberPartial } from './number-metric.js';
import {
  mergeStats,
  namedNumbers,
  shownValue,
  type Stats,
  STATS_NAMES,
  type StatsState,
  statsAccumulator,
  statsJson,
} from './stats.js';
import { addSquares, foldWholeSquares } from './sums.kernel.js';
import { wholeSums } from './whole-sums.js';
import { METRIC_KINDS } from '../source/value-kinds.js';

/** Partial result: stats and the sum of squares `q`. */
type ExtendedState = StatsState & { readonly q: number };

/** The sum of squares, whose compensation is not a number after an overflow. */
const sumOfSquares = (sum: number): number => (Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum);

/** Accumulates stats and the sum of squares. */
export function extendedAccumulator(scratch?: Scratch): NumberAccumulator<ExtendedState> {
  const base = statsAccumulator(scratch);
  let squares = new Float64Array(0);
  let deltas = new Float64Array(0);
  const whole = wholeSums(2);
  return {
    reserve(buckets) {
      base.reserve(buckets);
      squares = growDoubles(squares, buckets, 0, scratch);
      deltas = growDoubles(deltas, buckets, 0, scratch);
    },
    add(values, buckets, count, bound) {
      base.add(values, buckets, count, bound);
      if (whole.holds(count, bound) && !buckets) foldWholeSquares(values, count, squares);
      else addSquares(values, buckets, count, squares, deltas);
    },
    partial: (bucket) => ({ ...base.partial(bucket), q: sumOfSquares(squares[bucket]! + deltas[bucket]!) }),
  };
}

/** Spread of values: variances and the bounds of `sigma` standard deviations around the mean. */
function spread(stats: Stats, squares: number, sigma: number): Record<string, number | Record<string, number>> {
  const { count, sum } = stats;
  const deviations = squares - (sum * sum) / count;
  const population = Math.max(0, deviations / count);
  const sampling = count < 2 ? Number.NaN : Math.max(0, deviations / (count - 1));
  const [devPopulation, devSampling, mean] = [Math.sqrt(population), Math.sqrt(sampling), sum / count];
  return {
    sum_of_squares: squares,
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: devPopulation,
    std_deviation_population: devPopulation,
    std_deviation_sampling: devSampling,
    std_deviation_bounds: {
      upper: mean + sigma * devPopulation,
      lower: mean - sigma * devPopulation,
      upper_population: mean + sigma * devPopulation,
      lower_population: mean - sigma * devPopulation,
      upper_sampling: mean + sigma * devSampling,
      lower_sampling: mean - sigma * devSampling,
    },
  };
}

const NAMES = [
  'sum_of_squares',
  'variance',
  'variance_population',
  'variance_sampling',
  'std_deviation',
  'std_deviation_population',
  'std_deviation_sampling',
];
const BOUNDS = ['upper', 'lower', 'upper_population', 'lower_population', 'upper_sampling', 'lower_sampling'];

/** Replaces NaN and infinite numbers by the strings that Elasticsearch writes. */
const shownNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

function emptySpread(): Record<string, unknown> {
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, null])),
    std_deviation_bounds: Object.fromEntries(BOUNDS.map((name) => [name, null])),
  };
}

function spreadJson(all: Record<string, number | Record<string, number>>, format: Formatter): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const name of NAMES) json[name] = shownNumber(all[name] as number);
  const bounds = all['std_deviation_bounds'] as Record<string, number>;
  json['std_deviation_bounds'] = Object.fromEntries(BOUNDS.map((name) => [name, shownNumber(bounds[name]!)]));
  if (format.shown(0) === null) return json;
  for (const name of NAMES) {
    const value = all[name] as number;
    json[`${name}_as_string`] = name.startsWith('std_') ? format.shown(value) : shownValue(value, format);
  }
  json['std_deviation_bounds_as_string'] = Object.fromEntries(
    BOUNDS.map((name) => [name, format.shown(bounds[name]!)]),
  );
  return json;
}

/** Renders extended stats; `squares` is the sum of squares. */
export function extendedJson(stats: Stats, squares: number, sigma: number, format: Formatter): Record<string, unknown> {
  const base = statsJson(stats, format);
  return stats.count === 0
    ? { ...base, ...emptySpread() }
    : { ...base, ...spreadJson(spread(stats, squares, sigma), format) };
}

const sigmaField: FieldReader<number> = (value, site) => {
  const sigma = numberField(value, site);
  if (sigma < 0)
    throw errors.illegalArgument(
      `[sigma] must be greater than or equal to 0. Found [${formatDouble(sigma)}] in [${site.name}]`,
    );
  return sigma;
};

/**
 * Makes a result whose bounds can be read by path: `std_upper`, `std_lower`, and the same for population and sampling.
 */
export function extendedResult(typedName: string, json: Record<string, unknown>): ReturnType<typeof namedNumbers> {
  const result = namedNumbers(typedName, json);
  const bounds = json['std_deviation_bounds'] as Record<string, unknown>;
  return {
    ...result,
    value(property) {
      const name = property?.startsWith('std_') ? property.slice('std_'.length) : '';
      // Shown as null without values.
      if (property === 'sum_of_squares') return result.value!(property) ?? 0;
      if (!BOUNDS.includes(name)) return result.value!(property);
      const bound = bounds[name];
      return typeof bound === 'number' ? bound : null;
    },
  };
}

/**
 * `extended_stats`: stats with sum of squares, variances, standard deviations and their bounds. Formulas of
 * Elasticsearch's InternalExtendedStats.
 */
export const extendedStats: AggregationType<NumberPartial<ExtendedState>> = {
  name: 'extended_stats',
  valueKinds: METRIC_KINDS,
  prints: { wholeMembers: ['count'] },
  parse(site) {
    const fields = readFields(site.body, site, { ...sourceFields, sigma: sigmaField });
    const reduce = (partials: readonly (NumberPartial<ExtendedState> | null)[]): ReturnType<typeof namedNumbers> => {
      const squares = compensatedSum(partials.map((p) => p?.q ?? 0));
      return extendedResult(
        'extended_stats',
        extendedJson(mergeStats(partials), squares, fields.sigma ?? 2, formatIn(partials)),
      );
    };
    return {
      ...numberBehaviour(sourceOf(fields, site, 'double'), extendedAccumulator, reduce),
      numbers: (name) => [...STATS_NAMES, ...NAMES, ...BOUNDS.map((bound) => `std_${bound}`)].includes(name),
    };
  },
};
