import { type ApiError, errors } from '@shoal/errors';
import type { AggregationNode, PipelineNode } from '../aggregation-type.js';
import { isBucketKey, parsePath } from '../reduce/paths.js';

interface Level {
  readonly subs: readonly AggregationNode[];
  readonly pipelines: readonly PipelineNode[];
}

function failure(messages: readonly string[]): ApiError {
  return errors.actionRequestValidation(
    `Validation Failed: ${messages.map((text, i) => `${i + 1}: ${text};`).join('')}`,
  );
}

/** Names at the end of a path that stand for properties of buckets, not for aggregations. */
const isBucketProperty = (name: string): boolean => name === '_count' || name.toLowerCase() === '_key';

const named = <T extends { readonly name: string }>(list: readonly T[], name: string): T | undefined =>
  list.find((one) => one.name === name);

/** Returns what is wrong with a path below its first aggregation; null if every step exists. */
function stepsFault(text: string, first: AggregationNode): string | null {
  const { steps } = parsePath(text);
  let node = first;
  for (let i = 1; i < steps.length; i++) {
    const { name } = steps[i]!;
    const isLast = i === steps.length - 1;
    if (isLast && isBucketProperty(name)) return null;
    const sub = named(node.subs, name);
    if (!sub && !(isLast && named(node.pipelines, name))) return `No aggregation [${name}] found for path [${text}]`;
    if (sub) node = sub;
  }
  return null;
}

/**
 * Returns the first fault of the paths of a pipeline and of the pipelines that it reads; null for none. `open` holds
 * the pipelines that lead here, `done` those without a fault.
 */
function pathsFault(
  pipeline: PipelineNode,
  level: Level,
  open: ReadonlySet<PipelineNode>,
  done: Set<PipelineNode>,
): string | null {
  if (open.has(pipeline)) return `Cyclical dependency found with pipeline aggregator [${pipeline.name}]`;
  if (done.has(pipeline)) return null;
  for (const text of pipeline.behaviour.paths) {
    const { steps, fault } = parsePath(text);
    if (fault) return fault;
    if (text === '_count' || text === '_key') continue;
    const node = named(level.subs, steps[0]!.name);
    const read = node ? undefined : named(level.pipelines, steps[0]!.name);
    if (!node && !read) return `No aggregation found for path [${text}]`;
    const found = node ? stepsFault(text, node) : pathsFault(read!, level, new Set([...open, pipeline]), done);
    if (found) return found;
  }
  done.add(pipeline);
  return null;
}

/** Folder of the classes of single-bucket aggregations in Elasticsearch, where it is not that of their name. */
const FOLDERS: Readonly<Record<string, string>> = {
  reverse_nested: 'bucket.nested',
  diversified_sampler: 'bucket.sampler',
};

function builderClass({ type, behaviour }: AggregationNode): string {
  const name = type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  const folder = behaviour.shape === 'metric' ? 'metrics' : (FOLDERS[type] ?? `bucket.${type}`);
  return `org.elasticsearch.search.aggregations.${folder}.${name}AggregationBuilder`;
}

/** Returns what is wrong with the path of a sibling pipeline: it must lead to an aggregation with many buckets. */
function siblingFault(pipeline: PipelineNode, text: string, level: Level): string | null {
  const { steps, names } = parsePath(text);
  let step = steps[0]!;
  let node = named(level.subs, step.name);
  if (!node) return `buckets_path aggregation does not exist for aggregation [${pipeline.name}]: ${text}`;
  for (let i = 1; i < steps.length; i++) {
    const { shape } = node.behaviour;
    const goesDown = shape === 'multi' ? isBucketKey(step.key) : shape === 'single' && node.subs.length > 0;
    if (!goesDown) break;
    step = steps[i]!;
    const sub: AggregationNode | undefined = named(node.subs, step.name);
    if (!sub)
      return `buckets_path aggregation does not exist for aggregation [${pipeline.name}]: [${names.join(', ')}]`;
    node = sub;
  }
  if (node.behaviour.shape === 'multi' && node.behaviour.isPaged !== true) return null;
  return (
    'Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket ' +
    `aggregation for aggregation [${pipeline.name}] found :${builderClass(node)} for buckets path: ${text}`
  );
}

function parentFault(node: PipelineNode, parent: AggregationNode | null): string | null {
  const { behaviour, type, name } = node;
  if (!behaviour.needsHistogram)
    return parent === null ? `${type} aggregation [${name}] must be declared inside of another aggregation` : null;
  if (parent?.behaviour.isHistogram)
    return (parent.behaviour.minDocCount ?? 0) > 0
      ? `parent histogram of ${type} aggregation [${name}] must have min_doc_count of 0`
      : null;
  return (
    `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as ` +
    `parent${parent ? '' : " but doesn't have a parent"}`
  );
}

function levelFaults(level: Level, parent: AggregationNode | null): string[] {
  const done = new Set<PipelineNode>();
  for (const pipeline of level.pipelines) {
    const fault = pathsFault(pipeline, level, new Set(), done);
    if (fault) return [fault];
  }
  return level.pipelines
    .map((pipeline) =>
      pipeline.behaviour.kind === 'parent'
        ? parentFault(pipeline, parent)
        : siblingFault(pipeline, pipeline.behaviour.paths[0]!, level),
    )
    .filter((fault) => fault !== null);
}

function collectFaults(level: Level, parent: AggregationNode | null, out: string[]): void {
  out.push(...levelFaults(level, parent));
  for (const node of level.subs) collectFaults(node, node, out);
}

/**
 * Throws action_request_validation_exception if a path of a pipeline leads nowhere, if a sibling pipeline reads no
 * buckets, or if a pipeline has the wrong parent.
 */
export function validatePipelines(nodes: readonly AggregationNode[], pipelines: readonly PipelineNode[]): void {
  const faults: string[] = [];
  collectFaults({ subs: nodes, pipelines }, null, faults);
  if (faults.length > 0) throw failure(faults);
}
