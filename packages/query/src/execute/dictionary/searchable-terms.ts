import type { OrdinalColumn, SegmentReader, TermsCursor, TermsReader } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { lowerOrdinal, OrdinalRangeMatcher, scanOrdinals } from '../matchers/ordinal-matcher.js';
import { unionMatcher } from '../matchers/union-matcher.js';

/** The terms of a field in one segment, without postings. */
export type FieldDictionary = Pick<TermsReader, 'isInMemory' | 'termCount' | 'lookup' | 'term' | 'cursor'>;

/** Terms of a field that queries may look for, and the documents that have them. */
export interface SearchableTerms {
  readonly dictionary: FieldDictionary;
  /** Returns documents with any of some terms, by ordinal, without scores; null if there is none. */
  union(ordinals: ArrayLike<number>, maxDoc: number): Matcher | null;
}

/**
 * Returns the terms of a field: with their postings, or, if the field is not indexed, the terms of its column, whose
 * documents are found by reading the column. Null if the segment has neither.
 */
export function searchableTerms(reader: SegmentReader, field: string): SearchableTerms | null {
  const terms = reader.terms(field);
  if (terms !== null)
    return {
      dictionary: terms,
      union(ordinals, maxDoc) {
        if (ordinals.length > 0) reader.notePostings?.(field, 'documents');
        return unionMatcher(terms, ordinals, maxDoc);
      },
    };
  const column = reader.ordinals(field);
  return column === null
    ? null
    : {
        dictionary: columnDictionary(column),
        union: (ordinals, maxDoc) => columnUnion(column, ordinals, maxDoc),
      };
}

function columnDictionary(column: OrdinalColumn): FieldDictionary {
  return {
    ...(column.ranks() === null ? {} : { isInMemory: true as const }),
    termCount: column.ordinalCount,
    lookup: (term) => column.lookup(term),
    term: (ordinal) => column.term(ordinal),
    cursor: () => new ColumnCursor(column),
  };
}

/** Documents with any of some ordinals of a column, found by reading the column. */
function columnUnion(column: OrdinalColumn, ordinals: ArrayLike<number>, maxDoc: number): Matcher | null {
  const { length } = ordinals;
  if (length === 0) return null;
  const sorted = Int32Array.from(ordinals).sort();
  const first = sorted[0]!;
  const last = sorted[length - 1]!;
  const isRange = column.ranks() === null && last - first === length - 1;
  if (column.isSingleValued && isRange) return new OrdinalRangeMatcher(column, first, last, maxDoc);
  const wanted = new Set(sorted);
  return scanOrdinals(column, maxDoc, (ordinal) => wanted.has(ordinal));
}

/** Cursor over the terms of a sealed column, whose ordinals are in term order. */
class ColumnCursor implements TermsCursor {
  ordinal = -1;
  readonly #column: OrdinalColumn;

  constructor(column: OrdinalColumn) {
    this.#column = column;
  }

  seek(term: string): boolean {
    this.ordinal = lowerOrdinal(this.#column, term, false);
    return this.ordinal < this.#column.ordinalCount;
  }

  next(): boolean {
    if (this.ordinal < this.#column.ordinalCount) this.ordinal++;
    return this.ordinal < this.#column.ordinalCount;
  }

  get term(): string {
    return this.#column.term(this.ordinal);
  }
}
