import { errors } from '@shoal/errors';
import type { PipelineType } from '../aggregation-type.js';
import { compensatedSum } from '../metric/compensated-sum.js';
import { extendedJson, extendedResult } from '../metric/extended-stats.js';
import { namedNumbers, type Stats, statsJson } from '../metric/stats.js';
import { numberResult, type Reduced } from '../reduce/reduced.js';
import { numberOf } from '../parse/body-fields.js';
import type { PipelineBody } from './pipeline-request.js';
import { type BucketValue, type SiblingInput, siblingPipeline } from './sibling-values.js';
import { formatDouble } from '@shoal/values';

const none = (): null => null;
const numbers = (input: SiblingInput): number[] => input.values.map((one) => one.value);

function simple(value: number | null, input: SiblingInput): Reduced {
  return numberResult('simple_value', value, value === null ? null : input.shown(value));
}

/** Mean of a value over the buckets of a sibling. */
export const avgBucket: PipelineType = siblingPipeline('avg_bucket', none, (input) => {
  const all = numbers(input);
  return simple(all.length === 0 ? null : compensatedSum(all) / all.length, input);
});

/** Sum of a value over the buckets of a sibling. */
export const sumBucket: PipelineType = siblingPipeline('sum_bucket', none, (input) =>
  simple(compensatedSum(numbers(input)), input),
);

/** Returns the best value and the keys of all buckets with this value. */
function bestOf(
  values: readonly BucketValue[],
  better: (a: number, b: number) => boolean,
): { value: number | null; keys: string[] } {
  let best: number | null = null;
  let keys: string[] = [];
  for (const { key, value } of values) {
    if (best === null || better(value, best)) [best, keys] = [value, [key]];
    else if (value === best) keys.push(key);
  }
  return { value: best, keys };
}

function extremeBucket(name: string, better: (a: number, b: number) => boolean): PipelineType {
  return siblingPipeline(name, none, (input) => {
    const { value, keys } = bestOf(input.values, better);
    const text = value === null ? null : input.shown(value);
    return {
      ...numberResult('bucket_metric_value', value),
      render: () => ({ value, ...(text === null ? {} : { value_as_string: text }), keys }),
    };
  });
}

/** Smallest value over the buckets of a sibling. */
export const minBucket = extremeBucket('min_bucket', (a, b) => a < b);
/** Largest value over the buckets of a sibling. */
export const maxBucket = extremeBucket('max_bucket', (a, b) => a > b);

function statsOf(values: readonly number[]): Stats {
  return { count: values.length, sum: compensatedSum(values), min: Math.min(...values), max: Math.max(...values) };
}

const formatterOf = (input: SiblingInput): Parameters<typeof statsJson>[1] => ({
  spec: { k: 'raw' },
  text: formatDouble,
  shown: input.shown,
});

/** Count, minimum, maximum, average and sum over the buckets of a sibling. */
export const statsBucket: PipelineType = {
  ...siblingPipeline('stats_bucket', none, (input) =>
    namedNumbers('stats_bucket', statsJson(statsOf(numbers(input)), formatterOf(input))),
  ),
  prints: { wholeMembers: ['count'] },
};

function readSigma(body: PipelineBody): number {
  const sigma = body.number('sigma') ?? 2;
  if (sigma < 0) throw errors.illegalArgument('sigma must be a non-negative double');
  return sigma;
}

/** Extended stats over the buckets of a sibling. */
export const extendedStatsBucket: PipelineType = {
  ...siblingPipeline('extended_stats_bucket', readSigma, (input, sigma) => {
    const all = numbers(input);
    return extendedResult(
      'extended_stats_bucket',
      extendedJson(statsOf(all), compensatedSum(all.map((v) => v * v)), sigma, formatterOf(input)),
    );
  }),
  prints: { wholeMembers: ['count'] },
};

interface Percents {
  readonly percents: readonly number[];
  readonly keyed: boolean;
}

function readPercents(body: PipelineBody): Percents {
  const given = body.list('percents') ?? [1, 5, 25, 50, 75, 95, 99];
  const percents = given.map((one) => (typeof one === 'string' ? numberOf(one) : Number(one)));
  if (percents.some((percent) => !(percent >= 0 && percent <= 100)))
    throw errors.illegalArgument('[percents] must only contain non-null doubles from 0.0-100.0 inclusive');
  return { percents, keyed: body.boolean('keyed') ?? true };
}

/** Returns the percentile by nearest rank, without interpolation; null without values. */
function percentile(sorted: readonly number[], percent: number): number | null {
  if (sorted.length === 0) return null;
  const index = Math.round((percent / 100) * (sorted.length - 1));
  return sorted[index]!;
}

function percentilesJson(
  sorted: readonly number[],
  { percents, keyed }: Percents,
  shown: SiblingInput['shown'],
): Record<string, unknown> {
  const rows = percents.map((percent) => {
    const value = percentile(sorted, percent);
    return { key: percent, value, text: value === null ? null : shown(value) };
  });
  if (!keyed)
    return {
      values: rows.map(({ key, value, text }) =>
        text === null ? { key, value } : { key, value, value_as_string: text },
      ),
    };
  const values: Record<string, unknown> = {};
  for (const { key, value, text } of rows) {
    values[formatDouble(key)] = value;
    if (text !== null) values[`${formatDouble(key)}_as_string`] = text;
  }
  return { values };
}

/** Percentiles of a value over the buckets of a sibling. */
export const percentilesBucket: PipelineType = siblingPipeline('percentiles_bucket', readPercents, (input, request) => {
  const sorted = numbers(input).sort((a, b) => a - b);
  return {
    typedName: 'percentiles_bucket',
    buckets: null,
    value: (property) => (property === null ? undefined : percentile(sorted, Number(property))),
    render: () => percentilesJson(sorted, request, input.shown),
  };
});
