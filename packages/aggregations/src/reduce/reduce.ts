import { type Value, ValueReader } from '@shoal/codec';
import { type ApiError, errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import type { AggregationNode, AggregationTree, PipelineNode, Predictors, ReduceSite } from '../aggregation-type.js';
import { parsePath } from './paths.js';
import { metricJson } from './prints.js';
import type { ReducedSubs } from './reduced.js';
import { reduceFailure } from './reduce-failure.js';
import type { Reduced, ReducedBucket, RenderBuckets } from './reduced.js';
import { pipelinesInSteps } from './run-pipelines.js';

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

/** A level whose nodes are reduced one after the other, the results of which go into `into`. */
interface LevelWork {
  readonly into: ReducedSubs;
  readonly nodes: readonly AggregationNode[];
  /** Each array has one entry for each node. */
  readonly partials: readonly (readonly Value[])[];
  readonly dateKey: number | undefined;
  at: number;
}

/** Work that waits, the next one last. */
type Waiting = (LevelWork | (() => void))[];

/**
 * Reduces one node. The levels below its buckets are put upon `waiting`, and below them what the type does once they
 * are reduced.
 */
function reduceNode(
  node: AggregationNode,
  partials: readonly Value[],
  totals: Totals,
  waiting: Waiting,
  dateKey: number | undefined,
): Reduced {
  const below: LevelWork[] = [];
  const settled: (() => void)[] = [];
  const site: ReduceSite = {
    node,
    now: totals.now,
    addBuckets: (count) => addBuckets(totals, count),
    dateKey,
    subs(given, key = dateKey) {
      const into: ReducedSubs = new Map();
      if (node.subs.length > 0) below.push({ into, nodes: node.subs, partials: given, dateKey: key, at: 0 });
      return into;
    },
    settled: (job) => void settled.push(job),
    emptied: (given) => node.subs.map(({ behaviour }, i) => (given[i] && behaviour.emptied?.(given[i])) ?? null),
  };
  const reduced = node.behaviour.reduce(partials, site);
  waiting.push(...settled);
  for (let i = below.length - 1; i >= 0; i--) waiting.push(below[i]!);
  return reduced;
}

/** Reduces levels, one node in a step. What waits is as long as the buckets of one path through the tree. */
function* reduceLevels(level: LevelWork, totals: Totals): Generator<void, void> {
  const waiting: Waiting = [level];
  for (let work = waiting.pop(); work !== undefined; work = waiting.pop()) {
    if (typeof work === 'function') work();
    else {
      const { into, nodes, partials, dateKey } = work;
      const place = work.at++;
      if (work.at < nodes.length) waiting.push(work);
      const own = partials.map((all) => all[place] ?? null);
      into.set(nodes[place]!.name, reduceNode(nodes[place]!, own, totals, waiting, dateKey));
    }
    yield;
  }
}

/** Takes all steps at once. */
function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Reduces the sub-aggregations of one bucket on a shard, which orders buckets by their values. Counts no buckets. */
export function reduceSubsLocally(
  nodes: readonly AggregationNode[],
  partials: readonly Value[],
  now: () => number,
): ReducedSubs {
  const into: ReducedSubs = new Map();
  if (nodes.length === 0) return into;
  const totals: Totals = { buckets: 0, maxBuckets: Number.POSITIVE_INFINITY, now };
  atOnce(reduceLevels({ into, nodes, partials: [partials], dateKey: undefined, at: 0 }, totals));
  return into;
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

/** Buckets that are rendered from `at` on, each given to `put`. */
interface BucketWork {
  readonly level: Level;
  readonly buckets: readonly ReducedBucket[];
  readonly put: (json: Record<string, unknown>, bucket: ReducedBucket) => void;
  at: number;
}

/** Values of partial results that are decoded in a step. */
const VALUES_AT_ONCE = 4096;
/** Results that are rendered in a step. */
const RENDERED_AT_ONCE = 200;

/** Renders results; the buckets below them wait until `steps` comes to them. */
class Renderer {
  readonly #waiting: BucketWork[] = [];
  readonly #typedKeys: boolean;

  constructor(typedKeys: boolean) {
    this.#typedKeys = typedKeys;
  }

  level(level: Level, subs: ReducedSubs, into: Record<string, unknown>): Record<string, unknown> {
    for (const [name, reduced] of subs) {
      const node = level.nodes.find((one) => one.name === name);
      const asked = node ?? level.pipelines.find((one) => one.name === name);
      const meta = asked?.meta;
      const below = node ? levelOf(node) : bucketLevel(level, asked as PipelineNode | undefined);
      const rendered = reduced.render(this.#below(below));
      const body =
        reduced.buckets || reduced.subs ? rendered : metricJson(asked?.definition.prints ?? 'double', rendered);
      setOwn(into, this.#typedKeys ? `${reduced.typedName}#${name}` : name, meta ? { meta, ...body } : body);
    }
    return into;
  }

  /** Renders the buckets that wait, some in a step. */
  *steps(): Generator<void, void> {
    for (let work = this.#waiting.pop(); work !== undefined; work = this.#waiting.pop()) {
      const { buckets, level, put } = work;
      // What a bucket adds to the buckets that wait comes before those that follow it.
      this.#waiting.push(work);
      for (let results = 0; results < RENDERED_AT_ONCE && work.at < buckets.length; ) {
        const bucket = buckets[work.at++]!;
        const waiting = this.#waiting.length;
        put(this.level(level, bucket.subs, bucket.head()), bucket);
        results += 1 + bucket.subs.size;
        if (this.#waiting.length > waiting) break;
      }
      if (work.at === buckets.length) this.#waiting.splice(this.#waiting.indexOf(work), 1);
      yield;
    }
  }

  #below(level: Level): RenderBuckets {
    return {
      list: (buckets) => {
        const json: Record<string, unknown>[] = [];
        this.#waiting.push({ level, buckets, at: 0, put: (one) => void json.push(one) });
        return json;
      },
      keyed: (buckets, keyOf = (bucket) => bucket.keyText) => {
        const json: Record<string, unknown> = {};
        this.#waiting.push({ level, buckets, at: 0, put: (one, bucket) => setOwn(json, keyOf(bucket), one) });
        return json;
      },
      subs: (subs) => this.level(level, subs, {}),
    };
  }
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
    const reader = new ValueReader(bytes);
    while (!reader.advance(VALUES_AT_ONCE)) yield;
    decoded.push(reader.value as readonly Value[]);
    yield;
  }
  const subs: ReducedSubs = new Map();
  if (tree.nodes.length > 0) {
    yield* reduceLevels({ into: subs, nodes: tree.nodes, partials: decoded, dateKey: undefined, at: 0 }, totals);
    yield* pipelinesInSteps(tree.nodes, tree.pipelines, subs, options.models ?? new Map());
  }
  const renderer = new Renderer(options.typedKeys);
  const json: Record<string, unknown> = {};
  for (const [name, reduced] of subs) {
    renderer.level(tree, new Map([[name, reduced]]), json);
    yield* renderer.steps();
  }
  return json;
}

/** As `reduceInSteps`, at once. */
export function reduceAggregations(
  tree: AggregationTree,
  partials: readonly Uint8Array[],
  options: ReduceOptions,
): Record<string, unknown> {
  return atOnce(reduceInSteps(tree, partials, options));
}
