import type { Value } from '@shoal/codec';
import type { Aggregator, AggregationNode, BuildSite, SubAggregators } from '../aggregation-type.js';
import type { CollectContext } from '../collector.js';
import { profiled } from './profile.js';

/** Receives work that is done after the segments were collected. */
export type LaterWork = Pick<BuildSite, 'defer' | 'afterSegments'>;

/** Builds the aggregators of one level of the tree. */
export function buildLevel(
  nodes: readonly AggregationNode[],
  context: CollectContext,
  nestedPath: string | null,
  later: LaterWork,
): SubAggregators {
  const below: SubAggregators[][] = nodes.map(() => []);
  const list = nodes.map((node, i) => node.behaviour.collector(buildSite(node, context, nestedPath, later, below[i]!)));
  const { elapsedMs } = context;
  if (!elapsedMs) return subAggregators(list, () => []);
  const measured = nodes.map((node, i) => profiled(node, list[i]!, elapsedMs));
  return subAggregators(
    measured.map((one) => one.aggregator),
    () => measured.map((one, i) => one.profile(below[i]!.flatMap((subs) => subs.profiles()))),
  );
}

function buildSite(
  node: AggregationNode,
  context: CollectContext,
  nestedPath: string | null,
  later: LaterWork,
  below: SubAggregators[],
): BuildSite {
  return {
    node,
    context,
    nestedPath,
    ...later,
    subs(path = nestedPath) {
      const subs = buildLevel(node.subs, context, path, later);
      below.push(subs);
      return subs;
    },
  };
}

function subAggregators(list: readonly Aggregator[], profiles: SubAggregators['profiles']): SubAggregators {
  return {
    profiles,
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
