import type { AggregationNode, PipelineNode, Predictors } from '../aggregation-type.js';
import type { ReducedSubs } from './reduced.js';
import type { Reduced } from './reduced.js';

const hasPipelines = ({ pipelines, subs }: AggregationNode): boolean => pipelines.length > 0 || subs.some(hasPipelines);

function* runBelow(node: AggregationNode, reduced: Reduced, models: Predictors): Generator<void, void> {
  if (reduced.subs) yield* pipelinesInSteps(node.subs, node.pipelines, reduced.subs, models);
  if (!reduced.buckets) return;
  for (const bucket of reduced.buckets) {
    yield* pipelinesInSteps(node.subs, node.pipelines, bucket.subs, models);
    yield;
  }
  for (const { behaviour, name } of node.pipelines) {
    if (behaviour.kind !== 'parent') continue;
    const buckets = behaviour.parent!(reduced.buckets, name, reduced, models);
    reduced.buckets = Array.isArray(buckets) ? buckets : yield* buckets;
    yield;
  }
}

/**
 * Runs the pipelines of a level and of all levels below, deepest first. Adds their results to the levels and replaces
 * the buckets that they change. Between two steps the caller may give the thread back.
 */
export function* pipelinesInSteps(
  nodes: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
  subs: ReducedSubs,
  models: Predictors,
): Generator<void, void> {
  for (const node of nodes) {
    const reduced = hasPipelines(node) ? subs.get(node.name) : undefined;
    if (reduced) yield* runBelow(node, reduced, models);
  }
  if (pipelines.length === 0) return;
  for (const { behaviour, name } of pipelines) {
    if (behaviour.kind !== 'sibling') continue;
    subs.set(name, behaviour.sibling!(subs, name));
    yield;
  }
}
