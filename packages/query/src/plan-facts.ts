import type { Plan } from './plan.js';
import { kindOf } from './plans/catalogue.js';
import type { Searcher } from './searcher.js';

/**
 * Whether a plan can match anything on a shard: what it cannot match is found by looking at terms and bounds of values
 * only, reading no postings.
 */
export function canMatch(plan: Plan, searcher: Searcher): boolean {
  return kindOf(plan).canMatch?.(plan, searcher, (inner) => canMatch(inner, searcher)) ?? true;
}

/** Visits the terms that a plan scores by their statistics, in its own order; a term may come more than once. */
export function visitScoredTerms(plan: Plan, visit: (field: string, term: string) => void): void {
  const kind = kindOf(plan);
  kind.visitScoredTerms?.(plan, visit);
  for (const part of kind.scoredParts?.(plan) ?? []) visitScoredTerms(part, visit);
}

/** How a profile shows a plan: the name of Lucene's query, and the plans inside that are shown below it. */
export function profileFacts(plan: Plan): { readonly name: string; readonly parts: readonly Plan[] } {
  const kind = kindOf(plan);
  return { name: kind.luceneName ?? plan.kind, parts: kind.profiledParts?.(plan) ?? [] };
}
