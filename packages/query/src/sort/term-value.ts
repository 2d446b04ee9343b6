import type { Value } from '@shoal/codec';

/**
 * The sort value of a term that answers show in another form, such as an address or a version: `term` is compared,
 * `shown` is printed.
 */
export type TermValue = { readonly term: string; readonly shown: Value };

/** Returns whether a sort value is a TermValue. */
export function isTermValue(value: unknown): value is TermValue {
  return typeof value === 'object' && value !== null && 'term' in value && 'shown' in value;
}

/** Returns a sort value as answers show it. */
export function shownValue(value: unknown): unknown {
  return isTermValue(value) ? value.shown : value;
}
