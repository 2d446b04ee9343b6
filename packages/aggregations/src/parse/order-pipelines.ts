import { type ApiError, errors } from '@shoal/errors';
import type { AggregationNode, PipelineNode } from '../aggregation-type.js';
import { isBucketKey, parsePath } from '../reduce/paths.js';

/** Limit of pipelines that read each other in a row: following them takes a call each. */
export const PIPELINE_CHAIN_MAX = 1000;

/** The aggregations and pipelines beside each other; `pipelines` is sorted once their paths are known. */
interface Level {
  readonly subs: readonly AggregationNode[];
  pipelines: readonly PipelineNode[];
}

interface NamedLevel {
  readonly subs: ReadonlyMap<string, AggregationNode>;
  readonly pipelines: ReadonlyMap<string, PipelineNode>;
}

const named = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name, one]));

/** The levels of a request by name: thousands of paths may lead among thousands of aggregations. */
class NamedLevels {
  readonly #levels = new Map<Level, NamedLevel>();

  of(level: Level): NamedLevel {
    let found = this.#levels.get(level);
    if (found === undefined)
      this.#levels.set(level, (found = { subs: named(level.subs), pipelines: named(level.pipelines) }));
    return found;
  }
}

function failure(messages: readonly string[]): ApiError {
  return errors.actionRequestValidation(
    `Validation Failed: ${messages.map((text, i) => `${i + 1}: ${text};`).join('')}`,
  );
}

/** Names at the end of a path that stand for properties of buckets, not for aggregations. */
const isBucketProperty = (name: string): boolean => name === '_count' || name.toLowerCase() === '_key';

/** Returns what is wrong with a path below its first aggregation; null if every step exists. */
function stepsFault(text: string, first: AggregationNode, levels: NamedLevels): string | null {
  const { steps } = parsePath(text);
  let node = first;
  for (let i = 1; i < steps.length; i++) {
    const { name } = steps[i]!;
    const isLast = i === steps.length - 1;
    if (isLast && isBucketProperty(name)) return null;
    const { subs, pipelines } = levels.of(node);
    const sub = subs.get(name);
    if (!sub && !(isLast && pipelines.has(name))) return `No aggregation [${name}] found for path [${text}]`;
    if (sub) node = sub;
  }
  return null;
}

/**
 * Returns the first fault of the paths of a pipeline and of the pipelines that it reads; null for none. `open` holds
 * the pipelines that lead here; `done` gets those without a fault, each after all that it reads.
 */
function pathsFault(
  pipeline: PipelineNode,
  level: Level,
  levels: NamedLevels,
  open: Set<PipelineNode>,
  done: Set<PipelineNode>,
): string | null {
  if (open.has(pipeline)) return `Cyclical dependency found with pipeline aggregator [${pipeline.name}]`;
  if (done.has(pipeline)) return null;
  if (open.size === PIPELINE_CHAIN_MAX)
    throw errors.illegalArgument(`more than [${PIPELINE_CHAIN_MAX}] pipeline aggregations read each other in a row`);
  open.add(pipeline);
  const { subs, pipelines } = levels.of(level);
  for (const text of pipeline.behaviour.paths) {
    const { steps, fault } = parsePath(text);
    if (fault) return fault;
    if (text === '_count' || text === '_key') continue;
    const node = subs.get(steps[0]!.name);
    const read = node ? undefined : pipelines.get(steps[0]!.name);
    if (!node && !read) return `No aggregation found for path [${text}]`;
    const found = node ? stepsFault(text, node, levels) : pathsFault(read!, level, levels, open, done);
    if (found) return found;
  }
  open.delete(pipeline);
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
function siblingFault(pipeline: PipelineNode, text: string, level: Level, levels: NamedLevels): string | null {
  const { steps, names } = parsePath(text);
  let step = steps[0]!;
  let node = levels.of(level).subs.get(step.name);
  if (!node) return `buckets_path aggregation does not exist for aggregation [${pipeline.name}]: ${text}`;
  for (let i = 1; i < steps.length; i++) {
    const { shape } = node.behaviour;
    const goesDown = shape === 'multi' ? isBucketKey(step.key) : shape === 'single' && node.subs.length > 0;
    if (!goesDown) break;
    step = steps[i]!;
    const sub = levels.of(node).subs.get(step.name);
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

/** Returns the faults of a level, and sorts its pipelines if their paths have none. */
function levelFaults(level: Level, parent: AggregationNode | null, levels: NamedLevels): string[] {
  const declared = level.pipelines;
  const done = new Set<PipelineNode>();
  for (const pipeline of declared) {
    const fault = pathsFault(pipeline, level, levels, new Set(), done);
    if (fault) return [fault];
  }
  level.pipelines = [...done];
  return declared
    .map((pipeline) =>
      pipeline.behaviour.kind === 'parent'
        ? parentFault(pipeline, parent)
        : siblingFault(pipeline, pipeline.behaviour.paths[0]!, level, levels),
    )
    .filter((fault) => fault !== null);
}

function collectFaults(level: Level, parent: AggregationNode | null, levels: NamedLevels, out: string[]): void {
  for (const fault of levelFaults(level, parent, levels)) out.push(fault);
  for (const node of level.subs) collectFaults(node, node, levels, out);
}

/**
 * Sorts the pipelines of all levels so that each follows those that it reads, and returns those of the outermost level.
 * Throws action_request_validation_exception if a path of a pipeline leads nowhere, if a sibling pipeline reads no
 * buckets, or if a pipeline has the wrong parent.
 */
export function orderPipelines(
  nodes: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
): readonly PipelineNode[] {
  const level: Level = { subs: nodes, pipelines };
  const faults: string[] = [];
  collectFaults(level, null, new NamedLevels(), faults);
  if (faults.length > 0) throw failure(faults);
  return level.pipelines;
}
