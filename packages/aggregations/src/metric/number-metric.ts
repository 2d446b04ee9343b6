import type { AggregateMetric } from '@shoal/mapping';
import type { Scratch } from '@shoal/query';
import type { Aggregator, Behaviour, BuildSite, ParseSite, ReduceSite } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { readFields } from '../parse/body-fields.js';
import type { Reduced } from '../reduce/reduced.js';
import { type FormatSpec, formatOf } from '../source/format.js';
import { metricSource, missingValue, type NumberSource, numberSource } from '../source/number-source.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { spreadBuckets } from './sums.kernel.js';

/** Partial result of a metric on numbers: the members of `S`, absent without values, and the format of the values. */
export type NumberPartial<S> = Partial<S> & { readonly f?: FormatSpec };

/** Accumulates a metric on numbers for all buckets. */
export interface NumberAccumulator<S> {
  reserve(buckets: number): void;
  /**
   * Adds values: `values[i]` belongs to `buckets[i]` (null: bucket 0); NaN is no value. Must not write to `values`. If
   * `wholeBound` is finite, all values are whole numbers at most that far from 0.
   */
  add(values: Float64Array, buckets: Int32Array | null, count: number, wholeBound: number): void;
  /** The partial result of a bucket below the reserved number. */
  partial(bucket: number): S;
}

/**
 * Makes an aggregator that passes the values of a source to an accumulator. Partial results carry the format as `f`.
 */
export function numberAggregator<S extends object>(
  source: NumberSource,
  accumulator: NumberAccumulator<S>,
  format: FormatSpec,
): Aggregator<NumberPartial<S>> {
  let spread: Int32Array<ArrayBuffer> = new Int32Array(0);
  let reserved = 0;
  const collectMany = (docs: Int32Array, buckets: Int32Array | null, count: number): void => {
    const { starts, values } = source.readAll(docs, count);
    if (!buckets) return accumulator.add(values, null, starts[count]!, source.wholeBound);
    spread = growInts(spread, starts[count]!);
    spreadBuckets(starts, buckets, count, spread);
    accumulator.add(values, spread, starts[count]!, source.wholeBound);
  };
  return {
    segment: (view) => source.segment(view),
    reserve(buckets) {
      if (buckets > reserved) accumulator.reserve((reserved = buckets));
    },
    collect(docs, buckets, count) {
      if (source.isEmpty) return;
      if (source.isSingle) accumulator.add(source.peek(docs, count), buckets, count, source.wholeBound);
      else collectMany(docs, buckets, count);
    },
    partial(bucket) {
      const values: Partial<S> = bucket < reserved ? accumulator.partial(bucket) : {};
      if (format.k !== 'raw') return { ...values, f: format };
      return bucket < reserved ? values : null;
    },
  };
}

/** Aggregations that read the metric of their name. */
const METRICS: readonly AggregateMetric[] = ['min', 'max', 'sum'];

/** The numbers of a request on one shard. */
export interface OpenNumbers {
  readonly source: NumberSource;
  readonly format: FormatSpec;
  /** Name of the field in segments, empty when unmapped. */
  readonly field: string;
  /** Value of documents without one, NaN for none. */
  readonly missing: number;
}

/** Opens the number source of a request on one shard, with its format. */
export function openNumbers(site: BuildSite, request: SourceRequest): OpenNumbers {
  const field = resolveField(site.context, request.field, 'numbers', site.node.type)?.type ?? null;
  const missing = missingValue(request.missing, field, request.format, site.context.now);
  const { scratch } = site.context;
  const metric = METRICS.find((name) => name === site.node.type);
  return {
    source:
      field?.metricColumns && metric ? metricSource(field, metric, scratch) : numberSource(field, missing, scratch),
    format: formatOf(field, request.format, request.timeZone),
    field: field?.name ?? '',
    missing,
  };
}

/** A metric on one numeric field without parameters of its own. */
export function numberMetric<S extends object>(
  site: ParseSite,
  accumulator: (scratch: Scratch | undefined) => NumberAccumulator<S>,
  reduce: (partials: readonly (NumberPartial<S> | null)[], site: ReduceSite) => Reduced,
): Behaviour<NumberPartial<S>> {
  const request = sourceOf(readFields(site.body, site, sourceFields), site, 'double');
  return numberBehaviour(request, accumulator, reduce);
}

/** The behaviour of a metric on one numeric field. */
export function numberBehaviour<S extends object>(
  request: SourceRequest,
  accumulator: (scratch: Scratch | undefined) => NumberAccumulator<S>,
  reduce: (partials: readonly (NumberPartial<S> | null)[], site: ReduceSite) => Reduced,
): Behaviour<NumberPartial<S>> {
  return {
    acceptsSubs: false,
    shape: 'metric',
    numbers: 'value',
    reads: [{ source: request, kind: 'numbers' }],
    emptied: ({ f }) => (f === undefined ? {} : { f }) as NumberPartial<S>,
    collector(build) {
      const { source, format } = openNumbers(build, request);
      return numberAggregator(source, accumulator(build.context.scratch), format);
    },
    reduce: (partials, reduceSite) => reduce(partials, reduceSite),
  };
}
