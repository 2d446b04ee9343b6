import assert from 'node:assert/strict';
import { stringify } from '@shoal/json';
import { createWeight, parseQuery, planQuery, Scratch, type Searcher, windowEnd, withRuntime } from '@shoal/query';
import { acceptedIn, errorText, FIXTURE_NOW_MS, memoryIndex, type MemoryIndexOptions } from '@shoal/query/testing';
import { WINDOW_DOCS } from '@shoal/segments';
import type { AggregationTree, Predictors } from '../aggregation-type.js';
import { createShardCollector } from '../collect/shard-collector.js';
import type { CollectContext, LeafCollector } from '../collector.js';
import { parseAggregations } from '../parse/parse-tree.js';
import { reduceAggregations } from '../reduce/reduce.js';
import { asBuffer } from './as-buffer.js';

/** JSON of an answer, as tests walk it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of any shape
export type Answer = any;

/** Options of a request besides `aggs`. */
export interface RequestOptions {
  /** The query; all documents by default. */
  readonly query?: object;
  readonly typedKeys?: boolean;
  /** `search.max_buckets`, by default 65,536. */
  readonly maxBuckets?: number;
  /** False if the answer depends on how documents are spread over shards: the request then runs on one shard only. */
  readonly anyLayout?: boolean;
  /** Trained models that pipelines may ask. */
  readonly models?: Predictors;
  /** Called with the bytes that collectors take; it may refuse them. */
  readonly charge?: (bytes: number) => void;
}

/** An index in memory that answers aggregations. */
export interface AggregationFixture {
  /** The value of `aggregations` in the answer. Throws the error that a search would answer with. */
  answer(aggs: object, options?: RequestOptions): Promise<Answer>;
  /** The text of that value, for how numbers print. */
  text(aggs: object, options?: RequestOptions): Promise<string>;
  /** Checks a table: the body of one aggregation, `{type: {…}}` with its `aggs`, and its whole result. */
  answers(table: readonly (readonly [aggregation: object, result: object])[], options?: RequestOptions): Promise<void>;
  /**
   * Checks a table: the body of an aggregation named `x` and its error, as `type: reason` with causes behind ` <- `.
   */
  refuses(table: readonly (readonly [aggregation: object, error: string])[], options?: RequestOptions): Promise<void>;
}

/**
 * Builds an index over segments in memory, to test an aggregation beside its file:
 *
 *     const index = await aggregationFixture({
 *       mapping: { n: { type: 'long' } },
 *       documents: [{ n: 1 }, { n: 2 }, {}],
 *     });
 *
 *     test('avg leaves out documents without a value', () =>
 *       index.answers([[{ avg: { field: 'n' } }, { value: 1.5 }]]));
 *
 * Each request is answered over one shard with one segment, over one shard with two segments and a buffer, and over
 * three shards, of which one has a document at most; all answers must be the same but for the last bits of sums.
 */
export async function aggregationFixture(options: MemoryIndexOptions): Promise<AggregationFixture> {
  const layouts = await layoutsOf(options);
  const text = async (aggs: object, request: RequestOptions = {}): Promise<string> => {
    const [whole, ...others] = request.anyLayout === false ? layouts.slice(0, 1) : layouts;
    const expected = await textOver(whole!, aggs, request);
    for (const layout of others) assertNear(JSON.parse(await textOver(layout, aggs, request)), JSON.parse(expected));
    return expected;
  };
  const answer = async (aggs: object, request?: RequestOptions): Promise<Answer> =>
    JSON.parse(await text(aggs, request)) as Answer;
  return {
    answer,
    text,
    async answers(table, request) {
      for (const [aggregation, result] of table)
        assert.deepEqual((await answer({ x: aggregation }, request)).x, result, JSON.stringify(aggregation));
    },
    async refuses(table, request) {
      for (const [aggregation, error] of table)
        assert.equal(await failureOf(() => text({ x: aggregation }, request)), error, JSON.stringify(aggregation));
    },
  };
}

/** The error of an aggregation on the text field `x`. */
export const FIELDDATA_OF_X =
  'illegal_argument_exception: Fielddata is disabled on [x] in [fixture]. Text fields are not optimised for ' +
  'operations that require per-document field data like aggregations and sorting, so these operations are disabled ' +
  'by default. Please use a keyword field instead. Alternatively, set fielddata=true on [x] in order to load field ' +
  'data by uninverting the inverted index. Note that this can use significant memory.';

async function failureOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (error) {
    return errorText(error);
  }
  return 'no error';
}

/** Searchers of the shards of an index. */
type Layout = readonly Searcher[];

/** Documents in one segment; in two segments and a buffer; on three shards. */
export async function layoutsOf(options: MemoryIndexOptions): Promise<readonly Layout[]> {
  const index = memoryIndex(options);
  const all = Array.from({ length: index.documentCount }, (_, i) => i);
  const third = Math.ceil(all.length / 3);
  const thirds = [all.slice(0, third), all.slice(third, 2 * third), all.slice(2 * third)];
  const [even, odd] = [0, 1].map((rest) => all.slice(1).filter((number) => number % 2 === rest));
  return [
    [await index.searcher([all])],
    [asBuffer(await index.searcher(thirds))],
    [
      await index.searcher([all.slice(0, 1)]),
      asBuffer(await index.searcher([even!])),
      asBuffer(await index.searcher([odd!.slice(0, 2), odd!.slice(2)])),
    ],
  ];
}

const PARSING = { maxNestedDepth: 30, allowExpensiveQueries: true };

/** The text of `aggregations` in the answer of a request over the shards of a layout. */
export async function textOver(layout: Layout, aggs: object, options: RequestOptions): Promise<string> {
  const tree = parseAggregations(aggs, { aggs }, PARSING);
  const partials = await Promise.all(
    layout.map((searcher) =>
      collectShard(tree, searcher, options.query ?? { match_all: {} }, layout.length === 1, options.charge),
    ),
  );
  const { typedKeys = false, maxBuckets = 65_536, models = new Map() } = options;
  const now = (): number => FIXTURE_NOW_MS;
  return stringify(reduceAggregations(tree, partials, { typedKeys, maxBuckets, now, models }));
}

/** The partial result of one shard. */
export function collectShard(
  tree: AggregationTree,
  given: Searcher,
  query: object,
  isOnlyShard: boolean,
  charge: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const searcher = tree.scripted.length === 0 ? given : withRuntime(given, null, tree.scripted);
  const bound = (body: Parameters<CollectContext['weight']>[0], nestedPath: string | null, needsScores: boolean) => {
    const plan = planQuery(body, { searcher, now: () => FIXTURE_NOW_MS, nestedPath, innerHits: [] });
    return createWeight(plan, searcher, { needsScores, nestedPath });
  };
  const collector = createShardCollector(tree, {
    searcher,
    now: () => FIXTURE_NOW_MS,
    isOnlyShard,
    weight: (body, nestedPath) => bound(body, nestedPath, false),
    background: (body) => (body === null ? null : bound(body, null, false)),
    fetch: (docs, scores, sortValues) =>
      Array.from(docs, (doc, i) => hitOf(searcher, doc, scores?.[i] ?? null, sortValues?.[i])),
    charge,
    scratch: new Scratch(),
  });
  const weight = bound(parseQuery(query, PARSING), null, tree.needsScores);
  const scores = tree.needsScores ? new Float64Array(WINDOW_DOCS) : null;
  for (const view of searcher.segments) {
    const accepted = acceptedIn(view);
    const matcher = weight.matcher(view, tree.needsScores);
    const leaf = collector.segment(view);
    const docs = new Int32Array(WINDOW_DOCS);
    for (let from = 0; leaf && matcher && from < view.maxDoc; from = windowEnd(from, view.maxDoc))
      feed(leaf, docs, matcher.window(from, windowEnd(from, view.maxDoc), docs, scores), scores, accepted);
    const every = collector.globalSegment(view);
    const live = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc);
    if (every) feed(every, live, live.length, null, accepted);
  }
  return collector.partial();
}

/** Small, so that what collectors carry from window to window shows. */
const WINDOW = 7;

function feed(
  leaf: LeafCollector,
  docs: Int32Array,
  count: number,
  scores: Float64Array | null,
  accepted: ReturnType<typeof acceptedIn>,
): void {
  const places = Array.from({ length: count }, (_, i) => i).filter((i) => accepted.get(docs[i]!));
  for (let from = 0; from < places.length; from += WINDOW) {
    const window = places.slice(from, from + WINDOW);
    const own = Int32Array.from(window, (i) => docs[i]!);
    const ownScores = scores && Float32Array.from(window, (i) => scores[i]!);
    for (let at = 0; at < own.length; ) {
      const rest = own.subarray(at);
      const fitting = leaf.fits?.(rest, rest.length) ?? rest.length;
      leaf.collect(rest, fitting, ownScores && ownScores.subarray(at));
      at += fitting;
    }
  }
}

/** A hit of top_hits as the fetch phase shows it when nothing else is asked for. */
function hitOf(searcher: Searcher, doc: number, score: number | null, sort?: readonly unknown[]): Uint8Array {
  const { id, source } = searcher.stored(doc);
  const hit = { _id: id, _score: score, _source: JSON.parse(Buffer.from(source).toString()) as object };
  return Buffer.from(stringify(sort ? { ...hit, sort } : hit));
}

/** Compares two answers. Numbers may differ by 10^-9 of their size, as sums are added in another order. */
export function assertNear(a: Answer, b: Answer, at = ''): void {
  if (typeof a === 'number' && typeof b === 'number')
    return assert.ok(Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)), `${at}: ${a} != ${b}`);
  if (typeof a !== 'object' || a === null || b === null) return assert.equal(a, b, at);
  assert.deepEqual(Object.keys(a), Object.keys(b), at);
  for (const key of Object.keys(a)) assertNear(a[key], b[key], `${at}.${key}`);
}
