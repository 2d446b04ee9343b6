import { parseSearchBody } from '@shoal/aggregations';
import { stringify } from '@shoal/json';
import type { ParseContext } from '@shoal/query';
import type { CoordinatorContext } from '../../context.js';
import { encodeUtf8 } from '../../json-bytes.js';
import { queriesOf, type RankedQuery } from '../parse/ranked-queries.js';
import type { SearchPlan } from '../parse/search-plan.js';
import { fuseRanks } from './fuse-ranks.js';
import type { GatheredAnswers } from './gathered-answers.js';
import type { MergedHit } from './merge-hits.js';
import { inOrder, type SearchFailure } from '../search-failure.js';
import type { QueryPhaseRequest, QueryPhaseResult } from './phase-request.js';
import { runQueryPhase } from './query-phase.js';
import { decodeHits, type ShardHits } from './shard-hits.js';

/** Sections of a search that hold for each of its queries. */
const SHARED = ['post_filter', 'min_score', 'terminate_after', 'timeout', 'indices_boost', 'runtime_mappings'];

/**
 * Returns the phase of a search that ranks: what matches any of its queries is counted and aggregated, and the readers
 * stay open for the queries one by one.
 */
export function unrankedPhase(phase: QueryPhaseRequest): QueryPhaseRequest {
  return { ...phase, fetch: false, keepContext: true, options: { ...phase.options, shardSize: 0 } };
}

/**
 * Runs each query of a search that ranks, on the readers of the answers of its first phase, and returns the hits of the
 * page in the order of their fused ranks. Failures are told once a shard.
 */
export async function rankPhase(
  context: CoordinatorContext,
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  first: QueryPhaseResult,
  parsing: ParseContext,
  gathered: GatheredAnswers,
): Promise<{ readonly merged: readonly MergedHit[]; readonly failures: readonly SearchFailure[] }> {
  const ranks = plan.rank!;
  const answered = first.answers.flatMap((answer, target) => (answer === null ? [] : [{ answer, target }]));
  const shared = Object.fromEntries(SHARED.flatMap((key) => (key in plan.json ? [[key, plan.json[key]]] : [])));
  const failures = new Map<number, SearchFailure>();
  const setOf = async ({ json, clause }: RankedQuery): Promise<ShardHits[]> => {
    const body = { ...shared, ...json, size: ranks.windowSize, track_total_hits: false, _source: false };
    const request: QueryPhaseRequest = {
      ...phase,
      body: encodeUtf8(stringify(body)),
      search: parseSearchBody(body, parsing),
      targets: answered.map(({ answer, target }) => {
        const { nearest, ...asked } = phase.targets[target]!;
        const own = clause === null || nearest === undefined ? {} : { nearest: [nearest[clause]!] };
        return { ...asked, ...own, nodeIds: [answer.nodeId], reader: answer.result.context ?? null };
      }),
      options: { ...phase.options, shardSize: ranks.windowSize, from: 0, size: ranks.windowSize },
      keepContext: false,
    };
    const { answers, failures: own } = await runQueryPhase(context, request, gathered);
    const unanswered = answered.filter((_, i) => answers[i] === null);
    unanswered.forEach(({ target }, i) => failures.set(target, own[i]!));
    return answers.flatMap((answer, i) => (answer === null ? [] : [decodeHits(answer.result, answered[i]!.target)]));
  };
  const sets = await Promise.all(queriesOf(plan).map(setOf));
  return { merged: fuseRanks(sets, ranks, plan), failures: inOrder(failures) };
}

const SCORE = Buffer.from('"_score":null');

/** Adds its rank to a hit, behind its score, as 8.12 does. No text in a hit has these bytes: its quotes are escaped. */
export function withRank(hit: Uint8Array, rank: number): Uint8Array {
  const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
  const at = bytes.indexOf(SCORE) + SCORE.length;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(`,"_rank":${rank}`), bytes.subarray(at)]);
}
