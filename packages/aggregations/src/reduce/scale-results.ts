import type { AggregationNode } from '../aggregation-type.js';
import { numberResult, type Reduced, type ReducedBucket, type ReducedSubs } from './reduced.js';

type Json = Record<string, unknown>;

/** Counts in results of aggregations with buckets, besides those of the buckets. Backgrounds are not sampled. */
const COUNTS = ['doc_count', 'sum_other_doc_count'];

/**
 * Scales results over a sample of documents up to those over all: counts and sums are divided by the probability with
 * which documents were sampled, as 8.12 does. Averages, extremes, percentiles and cardinalities stay.
 */
export function scaleResults(results: ReducedSubs, nodes: readonly AggregationNode[], probability: number): void {
  for (const { name, type, subs } of nodes) {
    const reduced = results.get(name);
    if (reduced !== undefined) results.set(name, scaled(reduced, type, subs, probability));
  }
}

const upCount = (count: number, probability: number): number => Math.round(count / probability);

function scaled(reduced: Reduced, type: string, below: readonly AggregationNode[], probability: number): Reduced {
  if (reduced.buckets !== null) {
    for (const bucket of reduced.buckets) scaleBucket(bucket, below, probability);
    return withCounts(reduced, probability);
  }
  if (reduced.subs === undefined) return scaledMetric(reduced, type, probability);
  scaleResults(reduced.subs, below, probability);
  const docCount = upCount(reduced.docCount ?? 0, probability);
  const { value } = reduced;
  return {
    ...withCounts(reduced, probability),
    docCount,
    ...(value ? { value: (property) => (property === null ? docCount : value(property)) } : {}),
  };
}

function scaleBucket(bucket: ReducedBucket, below: readonly AggregationNode[], probability: number): void {
  scaleResults(bucket.subs, below, probability);
  bucket.docCount = upCount(bucket.docCount, probability);
  const head = bucket.head.bind(bucket);
  bucket.head = () => ({ ...head(), doc_count: bucket.docCount });
}

/** The result with its own counts scaled where it prints. Its buckets may still be replaced by pipelines. */
function withCounts(reduced: Reduced, probability: number): Reduced {
  const render = reduced.render;
  reduced.render = function (this: Reduced, renderBuckets) {
    const json = render.call(this, renderBuckets);
    for (const key of COUNTS) {
      const count = json[key];
      if (typeof count === 'number') json[key] = upCount(count, probability);
    }
    return json;
  };
  return reduced;
}

function scaledMetric(reduced: Reduced, type: string, probability: number): Reduced {
  if (type === 'sum' || type === 'value_count') {
    const value = reduced.value!(null)!;
    const up = type === 'sum' ? value / probability : upCount(value, probability);
    return numberResult(reduced.typedName, up);
  }
  if (type !== 'stats' && type !== 'extended_stats') return reduced;
  const { render, value } = reduced;
  const json = (renderBuckets: Parameters<Reduced['render']>[0]): Json =>
    scaledStats(render.call(reduced, renderBuckets), probability);
  const read = (property: string | null): number | null | undefined => {
    const found = value!.call(reduced, property);
    if (typeof found !== 'number' || property === null) return found;
    if (property === 'count') return upCount(found, probability);
    return property === 'sum' || property === 'sum_of_squares' ? found / probability : found;
  };
  return { ...reduced, value: read, render: json };
}

/** The texts of values follow formats, of which those of sums and spreads of samples are left out. */
const UNSCALED_TEXTS = ['sum_as_string', 'sum_of_squares_as_string'];

function scaledStats(json: Json, probability: number): Json {
  const count = json['count'] as number;
  if (count === 0) return json;
  const up = upCount(count, probability);
  const all: Json = { ...json, count: up, sum: (json['sum'] as number) / probability };
  for (const key of UNSCALED_TEXTS) delete all[key];
  if (typeof json['sum_of_squares'] !== 'number') return all;
  return { ...all, sum_of_squares: json['sum_of_squares'] / probability, ...samplingSpread(all, up) };
}

/** What extended_stats say of the sample of a population, which follows from its count. */
function samplingSpread(json: Json, count: number): Json {
  const population = json['variance_population'];
  const bounds = json['std_deviation_bounds'] as Record<string, number>;
  if (typeof population !== 'number' || count < 2) return {};
  const variance = (population * count) / (count - 1);
  const deviation = Math.sqrt(variance);
  const mean = json['avg'] as number;
  const own = json['std_deviation_population'] as number;
  const sigma = own === 0 ? 0 : (bounds['upper']! - mean) / own;
  return {
    variance_sampling: variance,
    std_deviation_sampling: deviation,
    std_deviation_bounds: {
      ...bounds,
      upper_sampling: mean + sigma * deviation,
      lower_sampling: mean - sigma * deviation,
    },
  };
}
