import { type ApiError, errors } from '@shoal/errors';
import type { AggregationNode, PipelineNode } from '../aggregation-type.js';
import { parsePath } from '../reduce/paths.js';

/** Names in a path that stand for properties of buckets, not for aggregations. */
const SPECIAL = new Set(['_count', '_key', '_bucket_count']);

function failure(messages: readonly string[]): ApiError {
  return errors.actionRequestValidation(
    `Validation Failed: ${messages.map((text, i) => `${i + 1}: ${text};`).join('')}`,
  );
}

/** Returns what is wrong with a path that starts among `nodes` and `pipelines`; null if every step exists. */
function pathFault(path: string, nodes: readonly AggregationNode[], pipelines: readonly PipelineNode[]): string | null {
  const { steps } = parsePath(path);
  let level: { subs: readonly AggregationNode[]; pipelines: readonly PipelineNode[] } = { subs: nodes, pipelines };
  for (let i = 0; i < steps.length; i++) {
    const { name } = steps[i]!;
    if (SPECIAL.has(name)) return null;
    const node = level.subs.find((one) => one.name === name);
    if (!node && level.pipelines.some((one) => one.name === name)) return null;
    if (!node)
      return i === 0 ? `No aggregation found for path [${path}]` : `No aggregation [${name}] found for path [${path}]`;
    level = node;
  }
  return null;
}

function parentFault(node: PipelineNode, parent: AggregationNode | null): string | null {
  const { behaviour, type, name } = node;
  if (behaviour.kind !== 'parent') return null;
  if (!behaviour.needsHistogram)
    return parent === null ? `${type} aggregation [${name}] must be declared inside of another aggregation` : null;
  if (parent?.behaviour.isHistogram) return null;
  return (
    `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as ` +
    `parent${parent ? '' : " but doesn't have a parent"}`
  );
}

function collectFaults(
  nodes: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
  parent: AggregationNode | null,
  out: string[],
): void {
  for (const pipeline of pipelines) {
    for (const path of pipeline.behaviour.paths) {
      const fault = pathFault(path, nodes, pipelines);
      if (fault) out.push(fault);
    }
    const fault = parentFault(pipeline, parent);
    if (fault) out.push(fault);
  }
  for (const node of nodes) collectFaults(node.subs, node.pipelines, node, out);
}

/**
 * Throws action_request_validation_exception if a path of a pipeline leads nowhere, or if a pipeline has the wrong
 * parent.
 */
export function validatePipelines(nodes: readonly AggregationNode[], pipelines: readonly PipelineNode[]): void {
  const faults: string[] = [];
  collectFaults(nodes, pipelines, null, faults);
  if (faults.length > 0) throw failure(faults);
}
