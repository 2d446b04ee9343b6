import type { Scratch } from '@shoal/query';
import type { Aggregator, Behaviour, BuildSite, ParseSite, ReduceSite } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { readFields } from '../parse/body-fields.js';
import type { Reduced } from '../reduce/reduced.js';
import { type FormatSpec, formatOf } from '../source/format.js';
import { missingValue, type NumberSource, numberSource } from '../source/number-source.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { spreadBuckets } from './sums.kernel.js';

/** What a shard returns of a metric on numbers: `S`, left out for a bucket without a value, and the values' format. */
export type NumberPartial<S> = Partial<S> & { readonly f?: FormatSpec };

/** State of a metric on numbers, for all buckets. */
export interface NumberAccumulator<S> {
  reserve(buckets: number): void;
  /**
   * `values[i]` belongs to `buckets[i]` (null: all to bucket 0); NaN is no value. `wholeBound`: no value is further
   * from 0 and all are whole numbers; infinite when that is not known. `values` is not to be written to.
   */
  add(values: Float64Array, buckets: Int32Array | null, count: number, wholeBound: number): void;
  /** The partial result of a bucket below the reserved number. */
  partial(bucket: number): S;
}

/** Feeds the values of a source to an accumulator; partial results carry the format as `f`. */
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

/** A request's numbers on one shard. */
export interface OpenNumbers {
  readonly source: NumberSource;
  readonly format: FormatSpec;
  /** Name of the field in segments, empty when unmapped. */
  readonly field: string;
  /** NaN for none. */
  readonly missing: number;
}

/** The number source of a request on one shard, and its format. */
export function openNumbers(site: BuildSite, request: SourceRequest): OpenNumbers {
  const field = resolveField(site.context, request.field, 'numbers', site.node.type)?.type ?? null;
  const missing = missingValue(request.missing, field, request.format, site.context.now);
  return {
    source: numberSource(field, missing, site.context.scratch),
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
  const request = sourceOf(readFields(site.body, site, sourceFields));
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
    collector(build) {
      const { source, format } = openNumbers(build, request);
      return numberAggregator(source, accumulator(build.context.scratch), format);
    },
    reduce: (partials, reduceSite) => reduce(partials, reduceSite),
  };
}
