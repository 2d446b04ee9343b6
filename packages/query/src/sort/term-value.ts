import type { Value } from '@shoal/codec';

/** The sort value of a term that answers show as something else than what it sorts by: an address, a version. */
export type TermValue = { readonly term: string; readonly shown: Value };

export function isTermValue(value: unknown): value is TermValue {
  return typeof value === 'object' && value !== null && 'term' in value && 'shown' in value;
}

/** A sort value as answers show it. */
export function shownValue(value: unknown): unknown {
  return isTermValue(value) ? value.shown : value;
}
