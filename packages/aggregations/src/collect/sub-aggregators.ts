import type { Value } from '@shoal/codec';
import type { Aggregator, AggregationNode, BuildSite, SubAggregators } from '../aggregation-type.js';
import type { CollectContext } from '../collector.js';

type Defer = BuildSite['defer'];

/** Builds the aggregators of a level. */
export function buildLevel(nodes: readonly AggregationNode[], context: CollectContext, nestedPath: string | null, defer: Defer): SubAggregators {
  const list = nodes.map((node) => node.behaviour.collector(buildSite(node, context, nestedPath, defer)));
  return subAggregators(list);
}

function buildSite(node: AggregationNode, context: CollectContext, nestedPath: string | null, defer: Defer): BuildSite {
  return {
    node,
    context,
    nestedPath,
    defer,
    subs: (path = nestedPath) => buildLevel(node.subs, context, path, defer),
  };
}

function subAggregators(list: readonly Aggregator[]): SubAggregators {
  return {
    size: list.length,
    list,
    segment(view) {
      for (const sub of list) sub.segment(view);
    },
    collect(docs, buckets, count, scores, bucketCount) {
      if (count === 0) return;
      for (const sub of list) {
        sub.reserve(bucketCount);
        sub.collect(docs, buckets, count, scores);
      }
    },
    partials: (bucket): Value[] => list.map((sub) => sub.partial(bucket)),
  };
}
