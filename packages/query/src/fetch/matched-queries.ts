import { createWeight } from '../execute/weight.js';
import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import { kindOf } from '../plans/catalogue.js';
import { hashOrder } from '@shoal/values';
import type { Searcher, SegmentView } from '../searcher.js';

interface Named {
  readonly name: string;
  readonly plan: Plan;
}

/**
 * Returns the named queries of a plan. Those on nested objects are among them: 8.12 asks them of the root document too,
 * so that a query which needs no nested field is told as matched.
 */
export function namedPlans(plan: Plan): Named[] {
  const parts = plan.kind === 'nested' ? [plan.plan] : (kindOf(plan).sameDocuments?.(plan) ?? []);
  const inside = parts.flatMap(namedPlans);
  return plan.kind === 'named' ? [...inside, { name: plan.name, plan: plan.plan }] : inside;
}

/** For each of some documents, the names of the queries that match, with their scores. */
type MatchedNames = readonly ReadonlyMap<string, number>[];

/** Returns the names for ascending documents of a segment, a query in a step. */
export type MatchedQueries = (segment: SegmentView, docs: Int32Array) => Generator<void, MatchedNames>;

/**
 * Binds the named queries of plans to a searcher; null when no query has a name. Of queries with the same name the last
 * one counts.
 */
export function matchedQueries(
  plans: readonly Plan[],
  searcher: Searcher,
  needsScores: boolean,
): MatchedQueries | null {
  const byName = new Map(plans.flatMap(namedPlans).map(({ name, plan }) => [name, plan]));
  const names = hashOrder(byName.keys());
  if (names.length === 0) return null;
  const weights = new Map<string, Weight>();
  const weightOf = (name: string): Weight => {
    const weight = weights.get(name) ?? createWeight(byName.get(name)!, searcher, { needsScores });
    weights.set(name, weight);
    return weight;
  };
  return function* (segment, docs) {
    const found = Array.from(docs, () => new Map<string, number>());
    for (const name of names) {
      const weight = weightOf(name);
      const candidates = docs.slice();
      const scores = needsScores ? new Float64Array(docs.length) : null;
      const matched = weight.matcher(segment, needsScores)?.filter(candidates, docs.length, scores) ?? 0;
      for (let i = 0, k = 0; k < matched; i++) {
        if (docs[i] !== candidates[k]) continue;
        found[i]!.set(name, scores === null ? 0 : scores[k]!);
        k++;
      }
      yield;
    }
    return found;
  };
}
