import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boostPlan, nonePlan } from '../plan-query.js';
import { crossFieldsPlan } from './cross-fields-plan.js';
import type { MatchOptions } from './match-options.js';
import { matchPlan } from './match-plan.js';
import { bestOf, type MultiMatch, type MultiMatchType } from './multi-match.js';

const KINDS: Readonly<Record<MultiMatchType, MatchOptions['kind']>> = {
  best_fields: 'boolean',
  most_fields: 'boolean',
  cross_fields: 'boolean',
  phrase: 'phrase',
  phrase_prefix: 'phrase_prefix',
  bool_prefix: 'bool_prefix',
};

/** Returns the plan of a text on several fields; null when no field has tokens and `zeroTerms` is `skip`. */
export function multiMatchPlan(
  text: string,
  fields: ReadonlyMap<string, number>,
  match: MultiMatch,
  context: PlanContext,
): Plan | null {
  const options = { ...match.options, kind: KINDS[match.type] };
  if (fields.size === 0) return nonePlan('unmapped fields []');
  if (match.type === 'cross_fields') return crossFieldsPlan(text, fields, { ...match, options }, context);
  const plans: Plan[] = [];
  for (const [field, boost] of fields) {
    const plan = matchPlan(field, text, options, context);
    if (plan) plans.push(boostPlan(plan, boost));
  }
  return bestOf(plans, match.tieBreaker);
}
