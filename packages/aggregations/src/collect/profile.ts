import type { Aggregator, AggregationNode, AggregationType } from '../aggregation-type.js';
import type { AggregationProfile } from './aggregation-profile.js';

const NANOS_PER_MILLI = 1e6;
const PHASES = [
  'reduce',
  'post_collection_count',
  'reduce_count',
  'initialize_count',
  'initialize',
  'post_collection',
  'build_leaf_collector',
  'build_leaf_collector_count',
  'build_aggregation',
  'build_aggregation_count',
];

/** Type that a profile shows: `GeoBoundsAggregator` for `geo_bounds` unless the aggregation type gives another. */
function profileName({ name, profileName: given }: AggregationType): string {
  const words = name.split('_').map((part) => part[0]!.toUpperCase() + part.slice(1));
  return given ?? `${words.join('')}Aggregator`;
}

/** An aggregator that measures its calls. Times include the sub-aggregations. */
export interface ProfiledAggregator {
  readonly aggregator: Aggregator;
  profile(children: readonly AggregationProfile[]): AggregationProfile;
}

/** Wraps an aggregator to measure its calls. */
export function profiled(node: AggregationNode, inner: Aggregator, elapsedMs: () => number): ProfiledAggregator {
  let documents = 0;
  let ms = 0;
  let segments = 0;
  const aggregator: Aggregator = {
    segment(view) {
      segments++;
      inner.segment(view);
    },
    reserve: (buckets) => inner.reserve(buckets),
    collect(docs, buckets, count, scores) {
      const start = elapsedMs();
      inner.collect(docs, buckets, count, scores);
      ms += elapsedMs() - start;
      documents += count;
    },
    partial: (bucket) => inner.partial(bucket),
  };
  return {
    aggregator,
    profile(children) {
      const { type = profileName(node.definition), debug = {} } = inner.describe?.() ?? {};
      const nanos = Math.round(ms * NANOS_PER_MILLI);
      const breakdown = {
        ...Object.fromEntries(PHASES.map((phase) => [phase, 0])),
        build_leaf_collector_count: segments,
        initialize_count: 1,
        collect: nanos,
        collect_count: documents,
      };
      return {
        type,
        description: node.name,
        time_in_nanos: nanos,
        breakdown,
        debug,
        ...(children.length > 0 ? { children } : {}),
      };
    },
  };
}
