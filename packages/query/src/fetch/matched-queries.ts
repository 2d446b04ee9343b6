import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import type { Searcher, SegmentView } from '../searcher.js';

interface Named {
  readonly name: string;
  readonly plan: Plan;
}

/** Queries with a `_name` that look at the same documents as the plan: those of nested documents are left out. */
export function namedPlans(plan: Plan): Named[] {
  switch (plan.kind) {
    case 'named':
      return [...namedPlans(plan.plan), { name: plan.name, plan: plan.plan }];
    case 'bool':
      return [...plan.must, ...plan.mustNot, ...plan.should, ...plan.filter].flatMap(namedPlans);
    case 'disMax':
    case 'covering':
      return plan.plans.flatMap(namedPlans);
    case 'constant':
      return namedPlans(plan.plan);
    case 'boosting':
      return [...namedPlans(plan.positive), ...namedPlans(plan.negative)];
    case 'functionScore':
      return [...namedPlans(plan.plan), ...plan.functions.flatMap(({ filter }) => (filter ? namedPlans(filter) : []))];
    default:
      return [];
  }
}

/** Names of the queries that match each of `count` ascending documents of a segment, with their scores. */
export type MatchedQueries = (segment: SegmentView, docs: Int32Array) => readonly ReadonlyMap<string, number>[];

/** Null when no query has a name. */
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
