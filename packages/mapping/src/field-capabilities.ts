/**
 * Properties of a field type that requests ask for, besides `valueKind` and `layout`. A row of the catalogue of types
 * sets them, so that other packages need not compare names of types.
 */
export interface FieldCapabilities {
  /** Values are texts of many terms: full-text queries score each term, and `more_like_this` reads them. */
  readonly holdsText: boolean;
  /** For `more_like_this` and term vectors, a whole value counts as one word. */
  readonly countsWholeValues: boolean;
  /** Highlighters mark values of the field if a pattern of field names matches it. */
  readonly isHighlighted: boolean;
  /** Prefix, wildcard, regexp and fuzzy queries can search the terms. */
  readonly hasPatterns: boolean;
  /** Match queries are refused for the type. */
  readonly refusesMatch: boolean;
  /** Range queries are refused if `search.allow_expensive_queries` is false. */
  readonly hasExpensiveRanges: boolean;
  /** Whether `fielddata` could provide column values, which the error for a missing column then mentions. */
  readonly couldUninvert: boolean;
  /** Values are vectors, of all dimensions or of named ones, by which nothing is sorted or aggregated; else null. */
  readonly vectors: 'dense' | 'sparse' | null;
  /** Completion suggesters can search the values. */
  readonly completes: boolean;
  /** Decimals are printed with the digits of binary32. */
  readonly printsFloats: boolean;
  /** Bits of the binary floating-point numbers that values are, in whose order Lucene keeps doc values; else null. */
  readonly floatBits: 16 | 32 | 64 | null;
  /** If values are ranges: the kind of their ends; null for single values. */
  readonly rangesOver: 'whole' | 'decimal' | 'date' | null;
  /** Least and greatest whole number, printed for a range without an end; null for 64 bits. */
  readonly wholeBounds: readonly [least: string, greatest: string] | null;
}

/** Capabilities of a type with none. */
export const NO_CAPABILITIES: FieldCapabilities = {
  holdsText: false,
  countsWholeValues: false,
  isHighlighted: false,
  hasPatterns: false,
  refusesMatch: false,
  hasExpensiveRanges: false,
  couldUninvert: false,
  vectors: null,
  completes: false,
  printsFloats: false,
  floatBits: null,
  rangesOver: null,
  wholeBounds: null,
};

/** Capabilities of a type: those in `of`; all others are off. */
export function withCapabilities(of: Partial<FieldCapabilities>): FieldCapabilities {
  return { ...NO_CAPABILITIES, ...of };
}
