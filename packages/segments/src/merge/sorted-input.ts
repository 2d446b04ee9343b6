import { bitSet } from '../bit-set.js';
import type { NormsReader, SegmentReader, TermsReader } from '../segment-reader.js';
import type { MergeInput } from './merge-input.js';
import { sortedBinary, sortedGeo, sortedNumbers, sortedOrdinals, sortedVectors } from './sorted-columns.js';
import { SortedPostings } from './sorted-postings.js';

/** An input of a merge with its documents in another order. */
export interface SortedInput {
  readonly input: MergeInput;
  /** New number of each old document. */
  readonly position: Int32Array;
}

function sortedTerms(terms: TermsReader, position: Int32Array): TermsReader {
  return {
    termCount: terms.termCount,
    docCount: terms.docCount,
    sumDocFreq: terms.sumDocFreq,
    sumTotalTermFreq: terms.sumTotalTermFreq,
    layout: terms.layout,
    lookup: (term) => terms.lookup(term),
    docFreq: (ordinal) => terms.docFreq(ordinal),
    totalTermFreq: (ordinal) => terms.totalTermFreq(ordinal),
    term: (ordinal) => terms.term(ordinal),
    postings: (ordinal) => new SortedPostings(terms.postings(ordinal), position, terms.layout.positions),
    cursor: () => terms.cursor(),
  };
}

function sortedNorms(norms: NormsReader, order: Int32Array): NormsReader {
  const bytes = Uint8Array.from(order, (old) => norms.bytes[old]!);
  return {
    bytes,
    get: (doc) => bytes[doc]!,
    read(docs, count, out) {
      for (let i = 0; i < count; i++) out[i] = bytes[docs[i]!]!;
    },
  };
}

function orNull<T, R>(value: T | null | undefined, make: (value: T) => R): R | null {
  return value === null || value === undefined ? null : make(value);
}

/**
 * A view of a segment with its documents in another order. It has only what merges read: no points and no look-up of
 * ids. The segment must not have nested documents.
 */
function sortedReader(reader: SegmentReader, order: Int32Array, position: Int32Array): SegmentReader {
  return {
    id: reader.id,
    maxDoc: order.length,
    byteSize: reader.byteSize,
    fields: reader.fields,
    roots: null,
    layout: (field) => reader.layout(field),
    terms: (field) => orNull(reader.terms(field), (terms) => sortedTerms(terms, position)),
    norms: (field) => orNull(reader.norms(field), (norms) => sortedNorms(norms, order)),
    numbers: (field) => orNull(reader.numbers(field), (column) => sortedNumbers(column, order)),
    ordinals: (field) => orNull(reader.ordinals(field), (column) => sortedOrdinals(column, order)),
    geo: (field) => orNull(reader.geo(field), (column) => sortedGeo(column, order)),
    binary: (field) => orNull(reader.binary(field), (column) => sortedBinary(column, order)),
    vectors: (field) => orNull(reader.vectors(field), (column) => sortedVectors(column, order)),
    points: () => null,
    geoPoints: () => null,
    findId: () => [],
    indexedNumbers: (field) => orNull(reader.indexedNumbers?.(field), (column) => sortedNumbers(column, order)),
    indexedPoints: (field) => orNull(reader.indexedPoints?.(field), (column) => sortedGeo(column, order)),
    idHashes(into) {
      const old = new Int32Array(reader.maxDoc);
      reader.idHashes?.(old);
      for (let doc = 0; doc < order.length; doc++) into[doc] = old[order[doc]!]!;
    },
  };
}

/** Puts the documents of an input into another order: `order[i]` is the old number of the new document i. */
export function sortedInput({ reader, live }: MergeInput, order: Int32Array): SortedInput {
  const position = new Int32Array(order.length);
  for (let doc = 0; doc < order.length; doc++) position[order[doc]!] = doc;
  let moved = null;
  if (live !== null) {
    moved = bitSet(order.length);
    for (let doc = 0; doc < order.length; doc++) if (live.get(order[doc]!)) moved.set(doc);
  }
  return { input: { reader: sortedReader(reader, order, position), live: moved, maxDoc: order.length }, position };
}
