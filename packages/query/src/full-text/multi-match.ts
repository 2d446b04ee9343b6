import { errors } from '@shoal/errors';
import type { Plan } from '../plan.js';
import type { MatchOptions } from './match-options.js';

/** How the fields of a multi_match work together. */
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

/** Throws parse_exception for a name that is no type. */
export function multiMatchType(name: string): MultiMatchType {
  const lower = name.toLowerCase();
  const type = lower === 'boolean' ? 'best_fields' : lower;
  if (TYPES.includes(type)) return type as MultiMatchType;
  throw errors.parse(`failed to parse [multi_match] query type [${name}]. unknown type.`);
}

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

/** Plans of several fields as one; null for none. */
export function bestOf(plans: readonly Plan[], tieBreaker: number): Plan | null {
  if (plans.length <= 1) return plans[0] ?? null;
  return { kind: 'disMax', plans, tieBreaker, boost: 1 };
}
