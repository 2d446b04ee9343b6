import type { Analyzer } from '@shoal/analysis';
import { errors, isApiError } from '@shoal/errors';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boostPlan } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { analyzerFor, type MatchOptions } from './match-options.js';
import { clausesPlan, exactTerm, lenientFailure, matchPlan, noTerms } from './match-plan.js';
import { bestOf, type MultiMatch } from './multi-match.js';
import { textPositions } from './text-positions.js';

/**
 * Returns the plan of `cross_fields`: fields with the same analyser are searched as one field, and each term has to
 * match in any of them. The document frequencies of a term are blended over the group, so that a field does not win
 * only because the term is rare there (Lucene's BlendedTermQuery).
 */
export function crossFieldsPlan(
  text: string,
  fields: ReadonlyMap<string, number>,
  match: MultiMatch,
  context: PlanContext,
): Plan | null {
  requireAnalyzers(fields, match.options, context);
  const plans: Plan[] = [];
  for (const [analyzer, group] of groupByAnalyzer(fields, match.options, context)) {
    const plan = groupPlan(text, analyzer, group, match, context);
    if (plan) plans.push(plan);
  }
  return bestOf(plans, match.tieBreaker);
}

type Group = ReadonlyMap<string, number>;

/**
 * Refuses fields that no text can be looked for in, also for a lenient query: as in 8.12 they have an analyser that
 * refuses to be used, and says nothing.
 */
function requireAnalyzers(fields: Group, options: MatchOptions, { searcher }: PlanContext): void {
  if (options.analyzer !== null) return;
  for (const field of fields.keys())
    if (searcher.mapping.field(field)?.capabilities.refusesMatch === true) throw errors.unsupportedOperation(null);
}

function groupByAnalyzer(
  fields: Group,
  options: MatchOptions,
  context: PlanContext,
): Map<Analyzer | null, Map<string, number>> {
  const groups = new Map<Analyzer | null, Map<string, number>>();
  for (const [field, boost] of fields) {
    const type = context.searcher.mapping.field(field);
    const analyzer = type && analyzerFor(type, options, context);
    const group = groups.get(analyzer);
    if (group) group.set(field, boost);
    else groups.set(analyzer, new Map([[field, boost]]));
  }
  return groups;
}

function groupPlan(
  text: string,
  analyzer: Analyzer | null,
  group: Group,
  match: MultiMatch,
  context: PlanContext,
): Plan | null {
  const [first] = group;
  if (group.size === 1 && first) {
    const plan = matchPlan(first[0], text, match.options, context);
    return plan && boostPlan(plan, first[1]);
  }
  if (!analyzer) return blendedPlan(text, group, match, context);
  const positions = textPositions(analyzer, text, context.searcher.settings.maxClauseCount);
  if (positions.length === 0) return noTerms(match.options);
  return clausesPlan(positions, match.options, ({ terms }) => {
    const plans = terms.map((term) => blendedPlan(term, group, match, context));
    return bestOf(plans, match.tieBreaker)!;
  });
}

/** Returns the plan of one term over the fields of a group. */
function blendedPlan(term: string, group: Group, match: MultiMatch, context: PlanContext): Plan {
  const plans: Plan[] = [];
  for (const [field, boost] of group) plans.push(boostPlan(termOn(field, term, match.options, context), boost));
  return bestOf(blend(plans, context.searcher), match.tieBreaker)!;
}

function termOn(field: string, term: string, options: MatchOptions, context: PlanContext): Plan {
  const type = context.searcher.mapping.field(field);
  if (!type) return matchPlan(field, term, options, context)!;
  try {
    return exactTerm(type, term, context);
  } catch (error) {
    if (!options.lenient || !isApiError(error)) throw error;
    return lenientFailure(field, error);
  }
}

type TermPlan = Extract<Plan, { kind: 'term' }>;

/**
 * Gives the terms of different fields similar document frequencies. The most frequent term gets its own frequency,
 * which is the highest; each rarer term gets one more than the term before it.
 */
function blend(plans: readonly Plan[], searcher: Searcher): Plan[] {
  const terms = plans.filter((plan): plan is TermPlan => plan.kind === 'term');
  const frequencies = new Map(terms.map((plan) => [plan, docFreq(plan, searcher)]));
  const present = terms
    .filter((plan) => frequencies.get(plan)! > 0)
    .sort((a, b) => frequencies.get(b)! - frequencies.get(a)!);
  const cap = Math.min(searcher.maxDoc, ...present.map((plan) => occurrences(plan.field, searcher)));
  const blended = new Map<Plan, number>();
  let previous = present[0] ? frequencies.get(present[0])! : 0;
  let current = previous;
  for (const plan of present) {
    const own = frequencies.get(plan)!;
    if (own < previous) current++;
    previous = own;
    blended.set(plan, Math.min(current, cap, docsWith(plan.field, searcher)));
  }
  return plans.map((plan) =>
    plan.kind === 'term' && blended.has(plan) ? { ...plan, docFreq: blended.get(plan)! } : plan,
  );
}

function docFreq({ field, term }: TermPlan, searcher: Searcher): number {
  let sum = 0;
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    const ordinal = terms?.lookup(term) ?? -1;
    if (ordinal >= 0) sum += terms!.docFreq(ordinal);
  }
  return sum;
}

function docsWith(field: string, searcher: Searcher): number {
  return searcher.segments.reduce((sum, { reader }) => sum + (reader.terms(field)?.docCount ?? 0), 0);
}

function occurrences(field: string, searcher: Searcher): number {
  return searcher.segments.reduce((sum, { reader }) => sum + (reader.terms(field)?.sumTotalTermFreq ?? 0), 0);
}
