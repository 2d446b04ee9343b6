import { type Value, ValueWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { ParsedQuery, SegmentView, Weight } from '@shoal/query';
import type { AggregationNode, AggregationTree, SubAggregators } from '../aggregation-type.js';
import type { CollectContext, LeafCollector, ShardCollector } from '../collector.js';
import { checkFieldUse } from '../source/values-source.js';
import { fittingDocs } from './fan-out.js';
import { buildLevel, type LaterWork, PartialQueue } from './sub-aggregators.js';

/**
 * Initial size of the buffer for partial results. Most are shorter, and growing the buffer costs more than unused
 * memory.
 */
const PARTIAL_BYTES = 2048;

const isGlobal = (node: AggregationNode): boolean => node.type === 'global';

function leaf(
  level: SubAggregators,
  nodes: readonly AggregationNode[],
  view: SegmentView,
  { scratch }: CollectContext,
): LeafCollector {
  return {
    fits: fittingDocs(nodes, view) ?? undefined,
    collect(docs, count, scores) {
      scratch?.batch.begin(docs, count);
      level.collect(docs, null, count, scores, 1);
      scratch?.batch.end();
    },
  };
}

/** Gives each document the score 1, as all documents have that no query has scored. */
function withEqualScores(inner: LeafCollector): LeafCollector {
  return {
    fits: inner.fits,
    collect: (docs, count, scores) => inner.collect(docs, count, scores ?? new Float32Array(count).fill(1)),
  };
}

/** Merges the results of the two passes (matching documents, all documents) in the order of the request. */
function inOrder(nodes: readonly AggregationNode[], matched: Value[], globals: Value[]): Value[] {
  let [m, g] = [0, 0];
  return nodes.map((node) => (isGlobal(node) ? globals[g++] : matched[m++]) ?? null);
}

/** Weights of the queries of a tree, made when it is checked. Each is given out once, to the collector of its query. */
class PlannedQueries {
  readonly #made = new Map<ParsedQuery, Weight[]>();

  plan(query: ParsedQuery, weight: Weight): void {
    const list = this.#made.get(query);
    if (list) list.push(weight);
    else this.#made.set(query, [weight]);
  }

  take(query: ParsedQuery): Weight | undefined {
    return this.#made.get(query)?.shift();
  }
}

/** Refuses `global` below another aggregation, whose collector may never be built. */
function checkGlobals(nodes: readonly AggregationNode[]): void {
  for (const { name, type, parent, subs } of nodes) {
    if (type === 'global' && parent)
      throw errors.illegalArgument(
        `Aggregation [${parent.name}] cannot have a global sub-aggregation [${name}]. ` +
          'Global aggregations can only be defined as top level aggregations',
      );
    checkGlobals(subs);
  }
}

/** Refuses places, fields and queries of a tree: fields before those of sub-aggregations, queries after them. */
function checkNodes(
  nodes: readonly AggregationNode[],
  context: CollectContext,
  nestedPath: string | null,
  planned: PlannedQueries,
): void {
  for (const node of nodes) {
    const { behaviour, type, subs } = node;
    behaviour.checkPlace?.(node);
    for (const use of behaviour.reads ?? []) checkFieldUse(context, use, type, behaviour.isHistogram === true);
    behaviour.check?.(node, context, nestedPath);
    const below = behaviour.nestedPathBelow ? behaviour.nestedPathBelow(nestedPath, context) : nestedPath;
    checkNodes(subs, context, below, planned);
    for (const query of behaviour.queries ?? []) planned.plan(query, context.weight(query, nestedPath));
  }
}

/** Partial results that are made between two looks at the clock. */
const STEPS_AT_ONCE = 16;
/** Values that are encoded between two looks at the clock. */
const VALUES_AT_ONCE = 4096;

/** Waits if the thread is due to others. */
async function paused({ pause }: CollectContext): Promise<void> {
  const wait = pause?.() ?? null;
  if (wait !== null) await wait;
}

/**
 * Collects `tree` over the shard of `context`. Throws illegal_argument_exception for fields that an aggregation does
 * not support.
 */
export function createShardCollector(tree: AggregationTree, given: CollectContext): ShardCollector {
  const planned = new PlannedQueries();
  checkNodes(tree.nodes, given, null, planned);
  checkGlobals(tree.nodes);
  const context: CollectContext = {
    ...given,
    weight: (query, nestedPath) => planned.take(query) ?? given.weight(query, nestedPath),
  };
  const jobs: Promise<void>[] = [];
  const endings: (() => Promise<void>)[] = [];
  const queue = new PartialQueue();
  const later: LaterWork = {
    partials: queue,
    defer(job) {
      // It may fail while the thread is given away, or when none is awaited any more: in a cancelled search.
      job.catch(() => undefined);
      jobs.push(job);
    },
    afterSegments: (job) => void endings.push(job),
  };
  const [ofMatched, ofAll] = [tree.nodes.filter((node) => !isGlobal(node)), tree.nodes.filter(isGlobal)];
  const matched = buildLevel(ofMatched, context, null, later);
  const globals = buildLevel(ofAll, context, null, later);
  return {
    needsScores: tree.needsScores,
    segment(view) {
      if (matched.size === 0) return null;
      matched.segment(view);
      return leaf(matched, ofMatched, view, context);
    },
    globalSegment(view) {
      if (globals.size === 0) return null;
      globals.segment(view);
      const one = leaf(globals, ofAll, view, context);
      return tree.needsScores ? withEqualScores(one) : one;
    },
    profile: () => [...matched.profiles(), ...globals.profiles()],
    async partial() {
      for (const end of endings) await end();
      const [own, all] = [matched.partials(0), globals.partials(0)];
      for (let steps = 0; queue.step(); steps++) if (steps % STEPS_AT_ONCE === 0) await paused(context);
      await Promise.all(jobs);
      const writer = new ValueWriter(inOrder(tree.nodes, own, all), PARTIAL_BYTES);
      while (!writer.advance(VALUES_AT_ONCE)) await paused(context);
      return writer.bytes();
    },
  };
}
