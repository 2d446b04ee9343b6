import { encodeValue } from '@shoal/codec';
import type { JsonObject } from '@shoal/json';
import { callShard } from '../../admin/broadcast.js';
import type { CoordinatorContext } from '../../context.js';
import type { RunningSearch } from '../running-search.js';

/** Answer of a shard to the call `statistics`. */
interface ShardStatistics {
  readonly fields: Readonly<Record<string, readonly number[]>>;
  /** docFreq by term. */
  readonly terms: Readonly<Record<string, number>>;
  /** totalTermFreq by term; absent if the node is older. */
  readonly occurrences?: Readonly<Record<string, number>>;
}

function add(into: Map<string, number[]>, name: string, counts: readonly number[]): void {
  const known = into.get(name) ?? counts.map(() => 0);
  into.set(
    name,
    known.map((count, i) => count + (counts[i] ?? 0)),
  );
}

function addCounts(into: Map<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [term, count] of Object.entries(counts)) into.set(term, (into.get(term) ?? 0) + count);
}

/** Outcome of the dfs phase of a search. */
interface DfsPhaseResult {
  /** Encoded statistics of all shards; null if the search has no query. */
  readonly statistics: Uint8Array | null;
  /** Whether every shard refused the query: the search then fails in this phase, and not in the query phase. */
  readonly isRefused: boolean;
}

/** The queries of the rescore passes of a body that was parsed. */
const rescoreQueries = (passes: unknown): readonly unknown[] =>
  (Array.isArray(passes) ? passes : [passes]).flatMap((pass: JsonObject | undefined) => {
    const query = pass?.['query'] as JsonObject | undefined;
    return query === undefined ? [] : [query['rescore_query']];
  });

/** The query of a body, if it has one, and those of its rescore passes. One of vectors may have only these. */
const scoringQueries = ({ query, rescore }: JsonObject): readonly unknown[] => [
  ...(query === undefined ? [] : [query]),
  ...rescoreQueries(rescore),
];

/**
 * Returns the statistics of the fields and terms that a query scores, summed over all shards (`dfs_query_then_fetch`).
 */
export async function globalStatistics(context: CoordinatorContext, search: RunningSearch): Promise<DfsPhaseResult> {
  const [query, ...rescore] = scoringQueries(search.plan.json);
  if (query === undefined) return { statistics: null, isRefused: false };
  const { indices } = context.cluster.state();
  const asking = { query, rescore, nowMs: context.clock.now() };
  const asked = search.targets.flatMap((target) => {
    const index = indices.get(target.indexUuid);
    return index ? [callShard(context, index, target.shard, 'statistics', asking, target.access)] : [];
  });
  const fields = new Map<string, number[]>();
  const terms = new Map<string, number>();
  const occurrences = new Map<string, number>();
  const answers = await Promise.allSettled(asked);
  for (const settled of answers) {
    if (settled.status === 'rejected') continue;
    const counts = settled.value as ShardStatistics;
    for (const [name, values] of Object.entries(counts.fields)) add(fields, name, values);
    addCounts(terms, counts.terms);
    addCounts(occurrences, counts.occurrences ?? {});
  }
  const statistics = encodeValue({
    fields: Object.fromEntries(fields),
    terms: Object.fromEntries(terms),
    occurrences: Object.fromEntries(occurrences),
  });
  return { statistics, isRefused: answers.length > 0 && answers.every(({ status }) => status === 'rejected') };
}
