import type { AggregationNode, PipelineNode, Predictors } from '../aggregation-type.js';
import type { ReducedSubs } from './reduced.js';
import { parsePath } from './paths.js';
import type { Reduced } from './reduced.js';

/** Sorts pipelines so that each follows the pipelines that it reads. */
export function inDependencyOrder(pipelines: readonly PipelineNode[]): PipelineNode[] {
  const done: PipelineNode[] = [];
  const visit = (node: PipelineNode): void => {
    if (done.includes(node)) return;
    for (const path of node.behaviour.paths) {
      const first = pipelines.find((other) => other !== node && other.name === parsePath(path).steps[0]?.name);
      if (first && !first.behaviour.paths.some((p) => parsePath(p).steps[0]!.name === node.name)) visit(first);
    }
    if (!done.includes(node)) done.push(node);
  };
  pipelines.forEach(visit);
  return done;
}

function runBelow(node: AggregationNode, reduced: Reduced, models: Predictors): void {
  if (node.subs.length === 0 && node.pipelines.length === 0) return;
  if (reduced.subs) runPipelines(node.subs, node.pipelines, reduced.subs, models);
  if (!reduced.buckets) return;
  for (const bucket of reduced.buckets) runPipelines(node.subs, node.pipelines, bucket.subs, models);
  for (const { behaviour, name } of inDependencyOrder(node.pipelines)) {
    if (behaviour.kind === 'parent') reduced.buckets = behaviour.parent!(reduced.buckets, name, reduced, models);
  }
}

/**
 * Runs the pipelines of a level and of all levels below, deepest first. Adds their results to the levels and replaces
 * the buckets that they change.
 */
export function runPipelines(
  nodes: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
  subs: ReducedSubs,
  models: Predictors,
): void {
  for (const node of nodes) {
    const reduced = subs.get(node.name);
    if (reduced) runBelow(node, reduced, models);
  }
  for (const { behaviour, name } of inDependencyOrder(pipelines)) {
    if (behaviour.kind === 'sibling') subs.set(name, behaviour.sibling!(subs, name));
  }
}
