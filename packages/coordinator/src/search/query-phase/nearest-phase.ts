import { parseSearchBody } from '@shoal/aggregations';
import { stringify } from '@shoal/json';
import type { ParseContext } from '@shoal/query';
import type { CoordinatorContext } from '../../context.js';
import { encodeUtf8 } from '../../json-bytes.js';
import type { SearchPlan } from '../parse/search-plan.js';
import type { TargetShard } from '../targets/search-targets.js';
import type { GatheredAnswers } from './gathered-answers.js';
import type { QueryPhaseRequest, ShardAnswer } from './phase-request.js';
import { runQueryPhase } from './query-phase.js';
import { decodeHits } from './shard-hits.js';

type Clause = SearchPlan['knn'][number];

/** A document that a shard found for a clause. Those of a shard come best first, so its own number is not needed. */
interface Found {
  readonly target: number;
  readonly score: number;
}

/** Returns the search of one clause alone. With a boost of 0 it chooses other documents, so boosts stay. */
function clauseSearch(
  clause: Clause,
  plan: SearchPlan,
  context: ParseContext,
): Pick<QueryPhaseRequest, 'body' | 'search'> {
  const { inner_hits: _, ...knn } = clause.json;
  const { runtime_mappings: runtime } = plan.json;
  const json = {
    knn,
    size: 0,
    track_total_hits: false,
    _source: false,
    ...(runtime === undefined ? {} : { runtime_mappings: runtime }),
  };
  return { body: encodeUtf8(stringify(json)), search: parseSearchBody(json, context) };
}

function bestOf(answers: readonly (ShardAnswer | null)[], k: number): Found[] {
  const found = answers.flatMap((answer, target) =>
    answer === null ? [] : Array.from(decodeHits(answer.result, target).scores ?? [], (score) => ({ target, score })),
  );
  // The sort is stable: documents with equal scores stay in the order of shards and of documents.
  return found.sort((a, b) => b.score - a.score).slice(0, k);
}

/** Returns how many of the nearest documents of all shards each shard has; a shard that failed keeps all of its own. */
async function keptOf(
  context: CoordinatorContext,
  clause: Clause,
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  parsing: ParseContext,
  gathered: GatheredAnswers,
): Promise<number[]> {
  const options = { ...phase.options, shardSize: clause.k, from: 0, size: 0, after: [], isScroll: false };
  const request: QueryPhaseRequest = {
    ...phase,
    ...clauseSearch(clause, plan, parsing),
    targets: phase.targets.map((target) => ({ ...target, boost: 0 })),
    options,
    fetch: false,
    keepContext: false,
    statistics: null,
  };
  const { answers } = await runQueryPhase(context, request, gathered);
  const counts = answers.map((answer) => (answer === null ? clause.k : 0));
  for (const { target } of bestOf(answers, clause.k)) counts[target]!++;
  return counts;
}

/**
 * Finds the nearest documents of each `knn` clause over all shards, and returns the targets of a search with how many
 * of them each shard keeps: the scores of each shard's best are merged, as 8.12 does in its dfs phase. A shard finds
 * its documents again in the query phase. One shard alone keeps as many as a clause asks for; it is only asked if
 * explanations have to know which clauses found nothing.
 */
export async function nearestPhase(
  context: CoordinatorContext,
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  parsing: () => ParseContext,
  gathered: GatheredAnswers,
): Promise<readonly TargetShard[]> {
  if (plan.knn.length === 0 || (phase.targets.length < 2 && plan.json['explain'] !== true)) return phase.targets;
  const kept = await Promise.all(plan.knn.map((clause) => keptOf(context, clause, plan, phase, parsing(), gathered)));
  return phase.targets.map((target, i) => ({ ...target, nearest: kept.map((counts) => counts[i]!) }));
}
