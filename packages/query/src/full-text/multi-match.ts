import { errors } from '@shoal/errors';
import type { Plan } from '../plan.js';
import type { MatchOptions } from './match-options.js';

/** How the scores of the fields of a multi_match are combined. */
export type MultiMatchType =
  | 'best_fields'
  | 'most_fields'
  | 'cross_fields'
  | 'phrase'
  | 'phrase_prefix'
  | 'bool_prefix';

const TYPES: readonly string[] = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
];

/** Parses a multi_match type. Throws parse_exception for an unknown name. */
export function multiMatchType(name: string): MultiMatchType {
  const lower = name.toLowerCase();
  const type = lower === 'boolean' ? 'best_fields' : lower;
  if (TYPES.includes(type)) return type as MultiMatchType;
  throw errors.parse(`failed to parse [multi_match] query type [${name}]. unknown type.`);
}

/** Returns the default `tie_breaker` of a multi_match type. */
export function defaultTieBreaker(type: MultiMatchType): number {
  return type === 'most_fields' || type === 'bool_prefix' ? 1 : 0;
}

/** Inputs for planning one text on several fields. */
export interface MultiMatch {
  readonly type: MultiMatchType;
  readonly tieBreaker: number;
  readonly options: MatchOptions;
}

/** Returns a dis_max of several plans; null for no plan. */
export function bestOf(plans: readonly Plan[], tieBreaker: number): Plan | null {
  if (plans.length <= 1) return plans[0] ?? null;
  return { kind: 'disMax', plans, tieBreaker, boost: 1 };
}
