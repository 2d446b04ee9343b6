import { errors } from '@shoal/errors';
import type { PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { boosted, nothing } from '../plan-query.js';
import { crossFieldsPlan } from './cross-fields-plan.js';
import type { MatchOptions } from './match-options.js';
import { matchPlan } from './match-plan.js';

export type MultiMatchType = 'best_fields' | 'most_fields' | 'cross_fields' | 'phrase' | 'phrase_prefix' | 'bool_prefix';

const TYPES: readonly string[] = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'];

/** Throws parse_exception for a name that is no type. */
export function multiMatchType(name: string): MultiMatchType {
  const lower = name.toLowerCase();
  const type = lower === 'boolean' ? 'best_fields' : lower;
  if (TYPES.includes(type)) return type as MultiMatchType;
  throw errors.parse(`failed to parse [multi_match] query type [${name}]. unknown type.`);
}

const KINDS: Readonly<Record<MultiMatchType, MatchOptions['kind']>> = {
  best_fields: 'boolean',
  most_fields: 'boolean',
  cross_fields: 'boolean',
  phrase: 'phrase',
  phrase_prefix: 'phrase_prefix',
  bool_prefix: 'bool_prefix',
};

/** Weight of the fields beside the best one when none is given. */
export function defaultTieBreaker(type: MultiMatchType): number {
  return type === 'most_fields' || type === 'bool_prefix' ? 1 : 0;
}

/** What one text on several fields is planned with. */
export interface MultiMatch {
  readonly type: MultiMatchType;
  readonly tieBreaker: number;
  readonly options: MatchOptions;
}

/** The plan of a text on several fields; null when no field has tokens and such clauses are left out. */
export function multiMatchPlan(text: string, fields: ReadonlyMap<string, number>, match: MultiMatch, context: PlanContext): Plan | null {
  const options = { ...match.options, kind: KINDS[match.type] };
  if (fields.size === 0) return nothing('unmapped fields []');
  if (match.type === 'cross_fields' && fields.size > 1) return crossFieldsPlan(text, fields, { ...match, options }, context);
  const plans: Plan[] = [];
  for (const [field, boost] of fields) {
    const plan = matchPlan(field, text, options, context);
    if (plan) plans.push(boosted(plan, boost));
  }
  return bestOf(plans, match.tieBreaker);
}

/** Plans of several fields as one; null for none. */
export function bestOf(plans: readonly Plan[], tieBreaker: number): Plan | null {
  if (plans.length <= 1) return plans[0] ?? null;
  return { kind: 'disMax', plans, tieBreaker, boost: 1 };
}

