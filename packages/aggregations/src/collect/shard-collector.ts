import { encodeValue, type Value } from '@shoal/codec';
import type { AggregationNode, AggregationTree, SubAggregators } from '../aggregation-type.js';
import type { CollectContext, LeafCollector, ShardCollector } from '../collector.js';
import { buildLevel } from './sub-aggregators.js';

/**
 * Initial size of the buffer for partial results. Most are shorter, and growing the buffer costs more than unused
 * memory.
 */
const PARTIAL_BYTES = 2048;

const isGlobal = (node: AggregationNode): boolean => node.type === 'global';

function leaf(level: SubAggregators, { scratch }: CollectContext): LeafCollector {
  return {
    collect(docs, count, scores) {
      scratch?.batch.begin(docs, count);
      level.collect(docs, null, count, scores, 1);
      scratch?.batch.end();
    },
  };
}

/** Merges the results of the two passes (matching documents, all documents) in the order of the request. */
function inOrder(nodes: readonly AggregationNode[], matched: Value[], globals: Value[]): Value[] {
  let [m, g] = [0, 0];
  return nodes.map((node) => (isGlobal(node) ? globals[g++] : matched[m++]) ?? null);
}

/**
 * Collects `tree` over the shard of `context`. Throws illegal_argument_exception for fields that an aggregation does
 * not support.
 */
export function createShardCollector(tree: AggregationTree, context: CollectContext): ShardCollector {
  const jobs: Promise<void>[] = [];
  const defer = (job: Promise<void>): void => void jobs.push(job);
  const matched = buildLevel(
    tree.nodes.filter((node) => !isGlobal(node)),
    context,
    null,
    defer,
  );
  const globals = buildLevel(tree.nodes.filter(isGlobal), context, null, defer);
  return {
    needsScores: tree.needsScores,
    segment(view) {
      if (matched.size === 0) return null;
      matched.segment(view);
      return leaf(matched, context);
    },
    globalSegment(view) {
      if (globals.size === 0) return null;
      globals.segment(view);
      return leaf(globals, context);
    },
    profile: () => [...matched.profiles(), ...globals.profiles()],
    async partial() {
      const results = inOrder(tree.nodes, matched.partials(0), globals.partials(0));
      await Promise.all(jobs);
      await context.pause?.();
      return encodeValue(results, PARTIAL_BYTES);
    },
  };
}
