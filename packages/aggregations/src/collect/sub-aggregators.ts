import type { Value } from '@shoal/codec';
import type { Aggregator, AggregationNode, BuildSite, SubAggregators } from '../aggregation-type.js';
import type { CollectContext } from '../collector.js';
import { profiled } from './profile.js';

/** Receives work that is done after the segments were collected. */
export interface LaterWork extends Pick<BuildSite, 'defer' | 'afterSegments'> {
  readonly partials: PartialQueue;
}

/** Partial results of the aggregations below one bucket. */
interface Wanted {
  readonly into: Value[];
  readonly list: readonly Aggregator[];
  readonly bucket: number;
}

/** Partial results that are asked for and not yet made, so that they are made in steps, one bucket after the other. */
export class PartialQueue {
  readonly #wanted: Wanted[] = [];

  /** Returns an array that `step` fills. */
  ask(list: readonly Aggregator[], bucket: number): Value[] {
    const into: Value[] = [];
    if (list.length > 0) this.#wanted.push({ into, list, bucket });
    return into;
  }

  /** As `ask`, with all that is below it. */
  now(list: readonly Aggregator[], bucket: number): Value[] {
    const others = this.#wanted.length;
    const into = this.ask(list, bucket);
    while (this.#wanted.length > others) this.step();
    return into;
  }

  /** Makes the next partial result; false if there is none. */
  step(): boolean {
    const next = this.#wanted.at(-1);
    if (next === undefined) return false;
    const { into, list, bucket } = next;
    if (into.length === list.length) this.#wanted.pop();
    else into.push(list[into.length]!.partial(bucket));
    return true;
  }
}

/** Builds the aggregators of one level of the tree. */
export function buildLevel(
  nodes: readonly AggregationNode[],
  context: CollectContext,
  nestedPath: string | null,
  later: LaterWork,
): SubAggregators {
  const below: SubAggregators[][] = nodes.map(() => []);
  const list = nodes.map((node, i) => node.behaviour.collector(buildSite(node, context, nestedPath, later, below[i]!)));
  const { elapsedMs } = context;
  if (!elapsedMs) return subAggregators(list, later.partials, () => []);
  const measured = nodes.map((node, i) => profiled(node, list[i]!, elapsedMs));
  return subAggregators(
    measured.map((one) => one.aggregator),
    later.partials,
    () => measured.map((one, i) => one.profile(below[i]!.flatMap((subs) => subs.profiles()))),
  );
}

function buildSite(
  node: AggregationNode,
  context: CollectContext,
  nestedPath: string | null,
  later: LaterWork,
  below: SubAggregators[],
): BuildSite {
  return {
    node,
    context,
    nestedPath,
    ...later,
    subs(path = nestedPath) {
      const subs = buildLevel(node.subs, context, path, later);
      below.push(subs);
      return subs;
    },
  };
}

function subAggregators(
  list: readonly Aggregator[],
  queue: PartialQueue,
  profiles: SubAggregators['profiles'],
): SubAggregators {
  return {
    profiles,
    size: list.length,
    list,
    segment(view) {
      for (const sub of list) sub.segment(view);
    },
    collect(docs, buckets, count, scores, bucketCount) {
      if (count === 0) return;
      for (const sub of list) {
        sub.reserve(bucketCount);
        sub.collect(docs, buckets, count, scores);
      }
    },
    partials: (bucket) => queue.ask(list, bucket),
    partialsNow: (bucket) => queue.now(list, bucket),
  };
}
