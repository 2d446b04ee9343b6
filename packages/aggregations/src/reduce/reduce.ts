import { decodeValue, type Value } from '@shoal/codec';
import { type ApiError, errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import type { AggregationNode, AggregationTree, PipelineNode, Predictors, ReduceSite } from '../aggregation-type.js';
import { parsePath } from './paths.js';
import { metricJson } from './prints.js';
import type { ReducedSubs } from './reduced.js';
import { reduceFailure } from './reduce-failure.js';
import type { Reduced, ReducedBucket, RenderBuckets } from './reduced.js';
import { runPipelines } from './run-pipelines.js';

/** Options of a reduce. */
export interface ReduceOptions {
  readonly typedKeys: boolean;
  /** `search.max_buckets`. */
  readonly maxBuckets: number;
  readonly now: () => number;
  /** Trained models by the names in `modelIds` of the tree; absent for none. */
  readonly models?: Predictors;
}

interface Totals {
  buckets: number;
  readonly maxBuckets: number;
  readonly now: () => number;
}

/**
 * Makes the error of a request with more buckets than `limit`. `was` is the number of buckets, null if it is not known.
 */
export function tooManyBuckets(limit: number, was: number | null): ApiError {
  const count = was === null ? 'but this number of buckets was exceeded' : `but was [${was}]`;
  return errors.tooManyBuckets(
    `Trying to create too many buckets. Must be less than or equal to: [${limit}] ${count}. This limit can be set ` +
      'by changing the [search.max_buckets] cluster level setting.',
    { meta: { max_buckets: limit } },
  );
}

function addBuckets(totals: Totals, count: number): void {
  totals.buckets += count;
  if (totals.buckets <= totals.maxBuckets) return;
  throw reduceFailure(tooManyBuckets(totals.maxBuckets, null));
}

function reduceNode(node: AggregationNode, partials: readonly Value[], totals: Totals, dateKey?: number): Reduced {
  const site: ReduceSite = {
    node,
    now: totals.now,
    addBuckets: (count) => addBuckets(totals, count),
    dateKey,
    subs: (below, key = dateKey) => reduceLevel(node.subs, below, totals, key),
    emptied: (below) => node.subs.map(({ behaviour }, i) => (below[i] && behaviour.emptied?.(below[i])) ?? null),
  };
  return node.behaviour.reduce(partials, site);
}

/** Reduces one level. Each array of partial results has one entry for each node. */
function reduceLevel(
  nodes: readonly AggregationNode[],
  partials: readonly (readonly Value[])[],
  totals: Totals,
  dateKey?: number,
): ReducedSubs {
  const result: ReducedSubs = new Map();
  nodes.forEach((node, i) =>
    result.set(
      node.name,
      reduceNode(
        node,
        partials.map((all) => all[i] ?? null),
        totals,
        dateKey,
      ),
    ),
  );
  return result;
}

/** Reduces the sub-aggregations of one bucket on a shard, which orders buckets by their values. Counts no buckets. */
export function reduceSubsLocally(
  nodes: readonly AggregationNode[],
  partials: readonly Value[],
  now: () => number,
): ReducedSubs {
  return reduceLevel(nodes, [partials], { buckets: 0, maxBuckets: Number.POSITIVE_INFINITY, now });
}

interface Level {
  readonly nodes: readonly AggregationNode[];
  readonly pipelines: readonly PipelineNode[];
}

const EMPTY: Level = { nodes: [], pipelines: [] };
const levelOf = ({ subs, pipelines }: AggregationNode): Level => ({ nodes: subs, pipelines });

/** What is below the buckets that a pipeline reads, of which its result may show one. */
function bucketLevel({ nodes }: Level, pipeline: PipelineNode | undefined): Level {
  let list = nodes;
  for (const { name } of parsePath(pipeline?.behaviour.paths[0] ?? '').steps) {
    const node = list.find((one) => one.name === name);
    if (node === undefined) return EMPTY;
    if (node.behaviour.shape === 'multi') return levelOf(node);
    list = node.subs;
  }
  return EMPTY;
}

function renderLevel(
  level: Level,
  subs: ReducedSubs,
  typedKeys: boolean,
  into: Record<string, unknown>,
): Record<string, unknown> {
  for (const [name, reduced] of subs) {
    const node = level.nodes.find((one) => one.name === name);
    const asked = node ?? level.pipelines.find((one) => one.name === name);
    const meta = asked?.meta;
    const below = node ? levelOf(node) : bucketLevel(level, asked as PipelineNode | undefined);
    const rendered = reduced.render(bucketRenderer(below, typedKeys));
    const body =
      reduced.buckets || reduced.subs ? rendered : metricJson(asked?.definition.prints ?? 'double', rendered);
    setOwn(into, typedKeys ? `${reduced.typedName}#${name}` : name, meta ? { meta, ...body } : body);
  }
  return into;
}

function bucketRenderer(level: Level, typedKeys: boolean): RenderBuckets {
  const one = (bucket: ReducedBucket): Record<string, unknown> =>
    renderLevel(level, bucket.subs, typedKeys, bucket.head());
  return {
    list: (buckets) => buckets.map(one),
    keyed(buckets, keyOf = (bucket) => bucket.keyText) {
      const json: Record<string, unknown> = {};
      for (const bucket of buckets) setOwn(json, keyOf(bucket), one(bucket));
      return json;
    },
    subs: (subs) => renderLevel(level, subs, typedKeys, {}),
  };
}

/**
 * Makes the value of `aggregations` in the answer: merges the partial results of shards and runs pipelines. Without
 * partial results the aggregations are empty. Between two steps the caller may give the thread back. Throws
 * search_phase_execution_exception caused by too_many_buckets_exception.
 */
export function* reduceInSteps(
  tree: AggregationTree,
  partials: readonly Uint8Array[],
  options: ReduceOptions,
): Generator<void, Record<string, unknown>> {
  const totals: Totals = { buckets: 0, maxBuckets: options.maxBuckets, now: options.now };
  const decoded: (readonly Value[])[] = [];
  for (const bytes of partials) {
    decoded.push(decodeValue(bytes) as readonly Value[]);
    yield;
  }
  const subs: ReducedSubs = new Map();
  for (let i = 0; i < tree.nodes.length; i++) {
    const node = tree.nodes[i]!;
    const own = decoded.map((all) => all[i] ?? null);
    subs.set(node.name, reduceNode(node, own, totals));
    yield;
  }
  runPipelines(tree.nodes, tree.pipelines, subs, options.models ?? new Map());
  const json: Record<string, unknown> = {};
  for (const [name, reduced] of subs) {
    renderLevel(tree, new Map([[name, reduced]]), options.typedKeys, json);
    yield;
  }
  return json;
}

/** As `reduceInSteps`, at once. */
export function reduceAggregations(
  tree: AggregationTree,
  partials: readonly Uint8Array[],
  options: ReduceOptions,
): Record<string, unknown> {
  const steps = reduceInSteps(tree, partials, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
