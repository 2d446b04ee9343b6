import type { ValueQuery } from '@shoal/mapping';
import { bitSet, type OrdinalColumn, type PostingsCursor, type SegmentReader, type TermsReader } from '@shoal/segments';
import { compareTerms } from '@shoal/codec';
import type { Matcher } from '../../matcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { lowerOrdinal, OrdinalRangeMatcher, scanOrdinals } from '../matchers/ordinal-matcher.js';
import { markPostings } from '../score.kernel.js';

/** A range of terms; null where it is open. */
export type TermBounds = Extract<ValueQuery, { kind: 'terms' }>;

/**
 * Returns documents with a term in a range: by ordinals if the column is single-valued, else through the dictionary.
 */
export function termRangeMatcher(
  reader: SegmentReader,
  field: string,
  bounds: TermBounds,
  maxDoc: number,
): Matcher | null {
  const column = reader.ordinals(field);
  if (column !== null && column.ranks() === null) return ordinalRange(column, bounds, maxDoc);
  const terms = reader.terms(field);
  if (terms !== null) {
    reader.notePostings?.(field, 'documents');
    return dictionaryRange(terms, bounds, maxDoc);
  }
  return column === null ? null : scannedRange(column, bounds, maxDoc);
}

function ordinalRange(
  column: OrdinalColumn,
  { low, high, includeLow, includeHigh }: TermBounds,
  maxDoc: number,
): Matcher | null {
  const first = low === null ? 0 : lowerOrdinal(column, low, !includeLow);
  const last = (high === null ? column.ordinalCount : lowerOrdinal(column, high, includeHigh)) - 1;
  if (first > last) return null;
  return column.isSingleValued
    ? new OrdinalRangeMatcher(column, first, last, maxDoc)
    : multiValuedRange(column, first, last, maxDoc);
}

function multiValuedRange(column: OrdinalColumn, first: number, last: number, maxDoc: number): Matcher {
  return scanOrdinals(column, maxDoc, (ordinal) => ordinal >= first && ordinal <= last);
}

/** Whether a term lies within bounds. */
export function isBetween(term: string, { low, high, includeLow, includeHigh }: TermBounds): boolean {
  if (low !== null) {
    const order = compareTerms(term, low);
    if (order < 0 || (order === 0 && !includeLow)) return false;
  }
  if (high === null) return true;
  const order = compareTerms(term, high);
  return order < 0 || (order === 0 && includeHigh);
}

function scannedRange(column: OrdinalColumn, bounds: TermBounds, maxDoc: number): Matcher {
  return scanOrdinals(column, maxDoc, (ordinal) => isBetween(column.term(ordinal), bounds));
}

function dictionaryRange(terms: TermsReader, bounds: TermBounds, maxDoc: number): Matcher | null {
  const cursor = terms.cursor();
  const bits = bitSet(maxDoc);
  let found = bounds.low === null ? cursor.next() : cursor.seek(bounds.low);
  if (found && bounds.low === cursor.term && !bounds.includeLow) found = cursor.next();
  let postings: PostingsCursor | undefined;
  for (; found && isBetween(cursor.term, bounds); found = cursor.next()) {
    postings = terms.postings(cursor.ordinal, postings);
    while (postings.nextBlock() > 0) markPostings(postings.docs, 0, postings.size, 0, bits.words);
  }
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

/** Returns documents with a term that `matches` accepts. */
export function dictionaryMatcher(
  reader: SegmentReader,
  field: string,
  matches: (term: string) => boolean,
  maxDoc: number,
): Matcher | null {
  const terms = reader.terms(field);
  if (terms === null) {
    const column = reader.ordinals(field);
    return column === null ? null : scanOrdinals(column, maxDoc, (ordinal) => matches(column.term(ordinal)));
  }
  const cursor = terms.cursor();
  const bits = bitSet(maxDoc);
  reader.notePostings?.(field, 'documents');
  while (cursor.next()) {
    if (!matches(cursor.term)) continue;
    const postings = terms.postings(cursor.ordinal);
    while (postings.nextBlock() > 0) markPostings(postings.docs, 0, postings.size, 0, bits.words);
  }
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}
