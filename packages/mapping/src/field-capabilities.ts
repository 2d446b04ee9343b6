/**
 * What requests may do with the fields of a type beyond what `valueKind` and `layout` say. A row of the catalogue of
 * types names what it can (`capable`); nobody outside asks for names of types.
 */
export interface FieldCapabilities {
  /** Values are texts of many terms: queries of words score each, `more_like_this` reads them. */
  readonly holdsText: boolean;
  /** Whole values count as words for `more_like_this` and term vectors. */
  readonly countsWholeValues: boolean;
  /** Highlighters mark values when a pattern of names finds the field. */
  readonly isHighlighted: boolean;
  /** Prefix, wildcard, regexp and fuzzy queries look through the terms. */
  readonly hasPatterns: boolean;
  /** Ranges are refused by `search.allow_expensive_queries: false`. */
  readonly hasExpensiveRanges: boolean;
  /** Column values could be had by `fielddata`, as the error of one that is missing says. */
  readonly couldUninvert: boolean;
  /** Completion suggesters look through the values. */
  readonly completes: boolean;
  /** Decimals print with the digits of 32 bits. */
  readonly printsFloats: boolean;
  /** Values are ranges with two ends of this kind; null for single values. */
  readonly rangesOver: 'whole' | 'decimal' | 'date' | null;
  /** Least and greatest whole number, as the text of a range without an end shows them; null for 64 bits. */
  readonly wholeBounds: readonly [least: string, greatest: string] | null;
}

/** Of types that are capable of nothing special. */
export const NO_CAPABILITIES: FieldCapabilities = {
  holdsText: false,
  countsWholeValues: false,
  isHighlighted: false,
  hasPatterns: false,
  hasExpensiveRanges: false,
  couldUninvert: false,
  completes: false,
  printsFloats: false,
  rangesOver: null,
  wholeBounds: null,
};

/** Capabilities of a type: those that are named, and none else. */
export function capable(of: Partial<FieldCapabilities>): FieldCapabilities {
  return { ...NO_CAPABILITIES, ...of };
}
