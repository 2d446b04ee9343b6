import type { CoordinatorContext } from '../context.js';
import type { GatheredAnswers } from './gathered-answers.js';
import { type MergedHit, mergeHits } from './merge-hits.js';
import type { QueryPhaseRequest, QueryPhaseResult } from './phase-request.js';
import { runQueryPhase } from './query-phase.js';
import type { SearchPlan } from './search-plan.js';
import { decodeHits } from './shard-hits.js';

function best(plan: SearchPlan, { answers }: QueryPhaseResult): readonly MergedHit[] {
  const shards = answers.flatMap((answer, target) => (answer ? [decodeHits(answer.result, target)] : []));
  return mergeHits(shards, plan.orders, false).slice(0, plan.size);
}

/** The best of hits that all shards have rendered. */
export function renderedPage(plan: SearchPlan, result: QueryPhaseResult): { merged: readonly MergedHit[]; hits: readonly Uint8Array[]; failures: readonly never[] } {
  const merged = result.merged ?? best(plan, result);
  return { merged, hits: merged.flatMap(({ hits, at }) => result.answers[hits.target]!.result.hits[at] ?? []), failures: [] };
}

/** Shards that have more hits on the page than they rendered; those that were asked for all of it have rendered what there is. */
function lacking({ merged, answers }: QueryPhaseResult, askedForAll: ReadonlySet<number>): readonly number[] {
  const short = new Set<number>();
  for (const { hits, at } of merged!) if (at >= answers[hits.target]!.result.hits.length && !askedForAll.has(hits.target)) short.add(hits.target);
  return [...short];
}

/** The answers of a query phase in which each shard rendered its share of the page; shards that have more on it are asked anew, for all of it. */
export async function withMissingHits(context: CoordinatorContext, plan: SearchPlan, phase: QueryPhaseRequest, first: QueryPhaseResult, gathered: GatheredAnswers): Promise<QueryPhaseResult> {
  const { rendered: _, ...options } = phase.options;
  const askedForAll = new Set<number>();
  let result: QueryPhaseResult = { ...first, merged: best(plan, first) };
  // A shard may answer otherwise the second time and leave room for hits of others.
  for (let targets = lacking(result, askedForAll); targets.length > 0; targets = lacking(result, askedForAll)) {
    for (const target of targets) askedForAll.add(target);
    const whole = { ...phase, options, targets: targets.map((target) => phase.targets[target]!) };
    const again = await runQueryPhase(context, whole, gathered);
    const answers = [...result.answers];
    targets.forEach((target, i) => (answers[target] = again.answers[i]!));
    const all = { answers, failures: [...result.failures, ...again.failures], skipped: result.skipped };
    result = { ...all, merged: best(plan, all) };
  }
  return result;
}
