import type { ValueQuery } from './field-type.js';

type NumberRange = Extract<ValueQuery, { readonly low: number | bigint }>;

/** Returns a range of numbers, or the query without values that it is if its ends are in the wrong order. */
export const rangeOrReversed = (range: NumberRange): ValueQuery =>
  range.low > range.high ? { kind: 'none', reversed: range } : range;
