import type { CoordinatorContext } from '../../context.js';
import type { GatheredAnswers } from './gathered-answers.js';
import { bestByScore, type MergedHit, mergeHits } from './merge-hits.js';
import type { QueryPhaseRequest, QueryPhaseResult } from './phase-request.js';
import { withNode } from '../fetch-phase/explained-hits.js';
import { runQueryPhase } from './query-phase.js';
import type { SearchPlan } from '../parse/search-plan.js';
import { decodeHits, type ShardHits } from './shard-hits.js';

function best(plan: SearchPlan, answers: QueryPhaseResult['answers']): readonly MergedHit[] {
  const shards: ShardHits[] = [];
  answers.forEach((answer, target) => {
    if (answer !== null) shards.push(decodeHits(answer.result, target));
  });
  return plan.orders === null
    ? bestByScore(shards, plan.size)
    : mergeHits(shards, plan.orders, false).slice(0, plan.size);
}

/** Makes the page from hits that all shards have rendered. */
export function renderedPage(
  plan: SearchPlan,
  result: QueryPhaseResult,
): { merged: readonly MergedHit[]; hits: readonly Uint8Array[]; failures: readonly never[] } {
  const merged = result.merged ?? best(plan, result.answers);
  const rendered: Uint8Array[] = [];
  for (const { hits, at } of merged) {
    const answer = result.answers[hits.target]!;
    const hit = answer.result.hits[at];
    if (hit !== undefined) rendered.push(...withNode([hit], answer.nodeId));
  }
  return { merged, hits: rendered, failures: [] };
}

/**
 * Returns the shards that may have more hits on the page than their share: those whose whole share is on the page
 * before its last hit.
 */
function lacking({ merged }: QueryPhaseResult, share: number, size: number): readonly number[] {
  return merged!.filter(({ at }, place) => at === share - 1 && place < size - 1).map(({ hits }) => hits.target);
}

/**
 * Completes a query phase in which each shard rendered its share of the page: shards that may have more hits on it are
 * asked again for the whole page.
 */
export async function withMissingHits(
  context: CoordinatorContext,
  plan: SearchPlan,
  phase: QueryPhaseRequest,
  first: QueryPhaseResult,
  gathered: GatheredAnswers,
): Promise<QueryPhaseResult> {
  const askedForAll = new Set<number>();
  let result = withBest(plan, first.answers, first.failures, first.skipped);
  // The second answer of a shard may have fewer hits on the page than the first. This leaves room for hits of other
  // shards, which are then asked too.
  for (;;) {
    const targets = lacking(result, phase.options.shardSize, plan.size).filter((target) => !askedForAll.has(target));
    if (targets.length === 0) return result;
    for (const target of targets) askedForAll.add(target);
    const whole = {
      ...phase,
      options: { ...phase.options, shardSize: plan.size },
      targets: targets.map((target) => phase.targets[target]!),
    };
    const again = await runQueryPhase(context, whole, gathered);
    const answers = [...result.answers];
    targets.forEach((target, i) => (answers[target] = again.answers[i]!));
    result = withBest(plan, answers, [...result.failures, ...again.failures], result.skipped);
  }
}

function withBest(
  plan: SearchPlan,
  answers: QueryPhaseResult['answers'],
  failures: QueryPhaseResult['failures'],
  skipped: number,
): QueryPhaseResult {
  return { answers, failures, skipped, merged: best(plan, answers) };
}
