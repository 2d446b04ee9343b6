import type { ValueQuery } from '@shoal/mapping';
import {
  bitSet,
  multiOrdinals,
  NO_MORE_DOCS,
  type OrdinalColumn,
  type PostingsCursor,
  type SegmentReader,
  type TermsReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import { compareTerms } from '@shoal/values';
import type { Matcher } from '../../matcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { markPostings } from '../score.kernel.js';
import { keepOrdinals, ordinalsToDocs } from '../window.kernel.js';

type TermBounds = Extract<ValueQuery, { kind: 'terms' }>;

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
  if (terms !== null) return dictionaryRange(terms, bounds, maxDoc);
  return column === null ? null : scannedRange(column, bounds, maxDoc);
}

/** Returns the first ordinal of a sorted column whose term is >= `term` (> with `after`). */
export function lowerOrdinal(column: OrdinalColumn, term: string, after: boolean): number {
  let low = 0;
  let high = column.ordinalCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareTerms(column.term(middle), term);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
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

function scanOrdinals(column: OrdinalColumn, maxDoc: number, wanted: (ordinal: number) => boolean): Matcher {
  const bits = bitSet(maxDoc);
  const values = multiOrdinals();
  const doc = new Int32Array(1);
  for (let at = column.nextDocWithField(0); at < maxDoc; at = column.nextDocWithField(at + 1)) {
    doc[0] = at;
    column.readAll(doc, 1, values);
    for (let i = 0; i < values.starts[1]!; i++) if (wanted(values.values[i]!)) bits.set(at);
  }
  return new BitSetMatcher(bits, 0);
}

function isBetween(term: string, { low, high, includeLow, includeHigh }: TermBounds): boolean {
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
  while (cursor.next()) {
    if (!matches(cursor.term)) continue;
    const postings = terms.postings(cursor.ordinal);
    while (postings.nextBlock() > 0) markPostings(postings.docs, 0, postings.size, 0, bits.words);
  }
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

/** Documents whose single ordinal lies in [first, last]. */
export class OrdinalRangeMatcher implements Matcher {
  readonly cost: number;
  readonly #column: OrdinalColumn;
  readonly #first: number;
  readonly #last: number;
  readonly #maxDoc: number;
  readonly #values = new Int32Array(WINDOW_DOCS);

  constructor(column: OrdinalColumn, first: number, last: number, maxDoc: number) {
    this.#column = column;
    this.#first = first;
    this.#last = last;
    this.#maxDoc = maxDoc;
    this.cost = Math.ceil((column.docsWithField * (last - first + 1)) / column.ordinalCount);
  }

  window(from: number, to: number, docs: Int32Array, _scores: Float64Array | null): number {
    this.#column.readRange(from, to, this.#values);
    return ordinalsToDocs(this.#values, from, to, this.#first, this.#last, docs);
  }

  filter(docs: Int32Array, count: number, scores: Float64Array | null): number {
    this.#column.read(docs, count, this.#values);
    return keepOrdinals(docs, count, this.#values, this.#first, this.#last, scores);
  }

  next(target: number): number {
    return target < this.#maxDoc ? this.#column.nextDocWithField(target) : NO_MORE_DOCS;
  }

  maxScore(): number {
    return 0;
  }
}
