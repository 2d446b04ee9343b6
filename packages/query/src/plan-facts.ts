import type { VisitTerm } from './plans/plan-kind.js';
import type { Plan } from './plan.js';
import { kindOf } from './plans/catalogue.js';
import type { Searcher } from './searcher.js';

/**
 * Returns whether a plan can match anything on a shard, as the can_match phase asks. Looks at terms and bounds of
 * values only and reads no postings.
 */
export function canMatch(plan: Plan, searcher: Searcher): boolean {
  return kindOf(plan).canMatch?.(plan, searcher, (inner) => canMatch(inner, searcher)) ?? true;
}

/**
 * Visits the terms whose statistics a plan needs for its scores, in the order of the plan. A term may come more than
 * once.
 */
export function visitScoredTerms(plan: Plan, searcher: Searcher, visit: VisitTerm): void {
  const kind = kindOf(plan);
  kind.visitScoredTerms?.(plan, visit, searcher);
  for (const part of kind.scoredParts?.(plan) ?? []) visitScoredTerms(part, searcher, visit);
}

/** Returns how a profile shows a plan: the name of Lucene's query, and the inner plans that are shown below it. */
export function profileFacts(plan: Plan): { readonly name: string; readonly parts: readonly Plan[] } {
  const kind = kindOf(plan);
  const name = kind.luceneNameOf?.(plan) ?? kind.luceneName ?? plan.kind;
  return { name, parts: kind.profiledParts?.(plan) ?? [] };
}
