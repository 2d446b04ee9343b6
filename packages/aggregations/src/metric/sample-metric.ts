import { columnOf } from '@shoal/query';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { formatOf } from '../source/format.js';
import { missingValue, numberSource } from '../source/number-source.js';
import { resolveField, type SourceRequest } from '../source/values-source.js';
import { mergeSamples, type Samples } from './digest.js';
import { numberAggregator, type NumberPartial } from './number-metric.js';
import { adaptiveStore, COUNTERS_MAX, digestStore, type SampleStore } from './sample-store.js';

/** Limit for the range of whole numbers that are counted with one counter a number. */
const COUNTED_WIDTH_MAX = 1 << 16;

/** Samples of a bucket: values `v` with weights `w`; `x` tells whether the samples are exact. */
type SampleState = {
  readonly v: Float64Array;
  readonly w: Float64Array;
  readonly x: boolean;
};

/** Partial result of metrics on samples. */
export type SamplesPartial = NumberPartial<SampleState>;

interface WholeRange {
  readonly min: number;
  readonly max: number;
}

/** Returns the range of a field of whole numbers over all segments, `missing` included; null for other fields. */
function wholeRange(build: BuildSite, field: string, missing: number): WholeRange | null {
  let [min, max] = Number.isNaN(missing) ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [missing, missing];
  for (const view of build.context.searcher.segments) {
    const column = columnOf(view.reader, field, build.context.scratch);
    if (!column || column.valueCount === 0) continue;
    if (column.kind !== 'long') return null;
    min = Math.min(min, column.min);
    max = Math.max(max, column.max);
  }
  return Number.isInteger(min) && Number.isInteger(max) ? { min, max } : null;
}

function storeFor(build: BuildSite, field: string, missing: number, compression: number): SampleStore {
  const range = wholeRange(build, field, missing);
  const { charge } = build.context;
  if (!range || range.max - range.min >= COUNTED_WIDTH_MAX || range.max - range.min >= COUNTERS_MAX)
    return digestStore(compression, charge);
  return adaptiveStore(range.min, range.max, compression, charge);
}

/** Collects samples of a numeric field. */
export function sampleAggregator(
  build: BuildSite,
  request: SourceRequest,
  compression: number,
): Aggregator<SamplesPartial> {
  const field = resolveField(build.context, request.field, 'numbers', build.node.type)?.type ?? null;
  const missing = missingValue(request.missing, field, request.format, build.context.now);
  const store = field
    ? storeFor(build, field.name, missing, compression)
    : digestStore(compression, build.context.charge);
  const accumulator = {
    reserve: (buckets: number) => store.reserve(buckets),
    add: (values: Float64Array, buckets: Int32Array | null, count: number) => store.add(values, buckets, count),
    partial(bucket: number): SampleState {
      const { values, weights, isExact } = store.samples(bucket);
      return { v: values, w: weights, x: isExact };
    },
  };
  return numberAggregator(
    numberSource(field, missing, build.context.scratch),
    accumulator,
    formatOf(field, request.format, null),
  );
}

/** Merges the samples of all shards. */
export function mergedSamples(partials: readonly (SamplesPartial | null)[], compression: number): Samples {
  const own = partials.filter((p): p is SampleState => p?.v !== undefined);
  return mergeSamples(
    own.map((p) => ({ values: p.v, weights: p.w, isExact: p.x })),
    compression,
  );
}
