import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import { kindOf } from '../plans/catalogue.js';
import type { Searcher, SegmentView } from '../searcher.js';

interface Named {
  readonly name: string;
  readonly plan: Plan;
}

/** Returns the named queries that look at the same documents as the plan: those of nested documents are left out. */
export function namedPlans(plan: Plan): Named[] {
  const inside = (kindOf(plan).sameDocuments?.(plan) ?? []).flatMap(namedPlans);
  return plan.kind === 'named' ? [...inside, { name: plan.name, plan: plan.plan }] : inside;
}

/**
 * Returns, for each of some ascending documents of a segment, the names of the queries that match, with their scores.
 */
export type MatchedQueries = (segment: SegmentView, docs: Int32Array) => readonly ReadonlyMap<string, number>[];

/** Binds the named queries of a plan to a searcher; null when no query has a name. */
export function matchedQueries(plan: Plan, searcher: Searcher, needsScores: boolean): MatchedQueries | null {
  const named = namedPlans(plan).map(({ name, plan: inner }) => ({
    name,
    weight: createWeight(inner, searcher, { needsScores }),
  }));
  if (named.length === 0) return null;
  return (segment, docs) => {
    const found = Array.from(docs, () => new Map<string, number>());
    for (const { name, weight } of named) {
      const candidates = docs.slice();
      const scores = needsScores ? new Float64Array(docs.length) : null;
      const matched = weight.matcher(segment, needsScores)?.filter(candidates, docs.length, scores) ?? 0;
      for (let i = 0, k = 0; k < matched; i++) {
        if (docs[i] !== candidates[k]) continue;
        found[i]!.set(name, scores === null ? 0 : scores[k]!);
        k++;
      }
    }
    return found;
  };
}
