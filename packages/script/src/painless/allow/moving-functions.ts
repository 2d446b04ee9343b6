import { illegalArgument } from '../../runtime/thrown.js';
import type { JavaArray } from '../../runtime/values.js';
import type { AllowTable, Implementation } from './class-row.js';

const numbersIn = (array: JavaArray): readonly number[] =>
  (array.values as number[]).filter((value) => !Number.isNaN(value));

const over =
  (of: (values: readonly number[]) => number): Implementation =>
  (array: JavaArray) =>
    of(numbersIn(array));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Standard deviation around a mean that the script gives. */
function deviation(array: JavaArray, mean: number): number {
  const values = numbersIn(array);
  if (Number.isNaN(mean) || values.length === 0) return Number.NaN;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
}

/** Elasticsearch adds 1 to the sum of weights. */
function linear(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const weighted = values.reduce((total, value, i) => total + value * (i + 1), 0);
  return weighted / (1 + (values.length * (values.length + 1)) / 2);
}

/** Exponential smoothing: each value weighs `alpha`, all before it together the rest. */
function ewma(array: JavaArray, alpha: number): number {
  const values = numbersIn(array);
  return values.length === 0 ? Number.NaN : values.reduce((average, value) => value * alpha + average * (1 - alpha));
}

/** Double exponential smoothing: a level and a trend, which begins with 0 (Holt, 1957). */
function holt(array: JavaArray, alpha: number, beta: number): number {
  const values = numbersIn(array);
  if (values.length === 0) return Number.NaN;
  let level = values[0]!;
  let trend = 0;
  for (const value of values.slice(1)) {
    const before = level;
    level = alpha * value + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
  }
  return level;
}

/**
 * Triple exponential smoothing: a level, a trend and a season (Winters, 1960). The window holds two periods at least.
 * As in Elasticsearch the first season is one of factors in both forms, and the trend before it is 0.
 */
function holtWinters(
  array: JavaArray,
  alpha: number,
  beta: number,
  gamma: number,
  period: number,
  isMultiplicative: boolean,
): number {
  const values = numbersIn(array).map((value) => value + (isMultiplicative ? PADDING : 0));
  if (values.length === 0) return Number.NaN;
  if (values.length < period * 2)
    throw illegalArgument(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to ` +
        `function. Only [${values.length}] were provided.`,
    );
  let level = sum(values.slice(0, period)) / period;
  let trend = sum(values.slice(0, period).map((value, i) => (values[i + period]! - value) / period)) / period;
  let [beforeLevel, beforeTrend] = [level, 0];
  const season = values.map((value, i) => (i < period && level !== 0 ? value / level : 0));
  for (let i = period; i < values.length; i++) {
    const value = values[i]!;
    const before = season[i - period]!;
    const bare = isMultiplicative ? value / before : value - before;
    level = alpha * bare + (1 - alpha) * (beforeLevel + beforeTrend);
    trend = beta * (level - beforeLevel) + (1 - beta) * beforeTrend;
    const own = isMultiplicative ? value / (beforeLevel + beforeTrend) : value - (beforeLevel - beforeTrend);
    season[i] = gamma * own + (1 - gamma) * before;
    [beforeLevel, beforeTrend] = [level, trend];
  }
  const last = season[values.length - period]!;
  return isMultiplicative ? (level + trend) * last : level + trend + last;
}

/** What multiplicative smoothing adds to each value, so that none is 0. */
const PADDING = 1e-10;

/** Functions of `moving_fn` over a window of values. */
export const MOVING_FUNCTIONS: AllowTable = [
  {
    name: 'org.elasticsearch.search.aggregations.pipeline.MovingFunctions',
    statics: {
      'double max(double[])': over((values) => (values.length === 0 ? Number.NaN : Math.max(...values))),
      'double min(double[])': over((values) => (values.length === 0 ? Number.NaN : Math.min(...values))),
      'double sum(double[])': over(sum),
      'double stdDev(double[],double)': deviation,
      'double unweightedAvg(double[])': over((values) =>
        values.length === 0 ? Number.NaN : sum(values) / values.length,
      ),
      'double linearWeightedAvg(double[])': over(linear),
      'double ewma(double[],double)': ewma,
      'double holt(double[],double,double)': holt,
      'double holtWinters(double[],double,double,double,int,boolean)': holtWinters,
    },
  },
];
