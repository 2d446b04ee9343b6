import { type FieldEntry, type FieldLayout, intToByte4 } from '@shoal/segments';
import type { SlicePool } from './byte-slices.kernel.js';
import { growUint8 } from './grow.js';
import {
  addDocTerm,
  addOccurrence,
  addWeight,
  internTerm,
  internTokens,
  type PostingsDetail,
  type TermStore,
  termStore,
  termStoreBytes,
} from './term-store.js';
import {
  addBinary,
  addNumber,
  addNumbers,
  addOrdinals,
  addPoints,
  type BinaryStore,
  binaryStore,
  binaryStoreBytes,
  type GeoStore,
  geoStore,
  geoStoreBytes,
  type NumberStore,
  numberStore,
  numberStoreBytes,
  type OrdinalStore,
  ordinalStore,
  ordinalStoreBytes,
} from './value-stores.js';
import { addVector, type VectorStore, vectorStore, vectorStoreBytes } from './vector-store.js';

/** Buffered terms, values and norms of one field. */
export interface FieldBuffer {
  readonly layout: FieldLayout;
  readonly terms: TermStore | null;
  readonly numbers: NumberStore | null;
  readonly ordinals: OrdinalStore | null;
  readonly geo: GeoStore | null;
  readonly binary: BinaryStore | null;
  readonly vectors: VectorStore | null;
  norms: Uint8Array;
  /** Last document with a term of the field, and its number of tokens so far. */
  lastDoc: number;
  lastLength: number;
  docCount: number;
  sumDocFreq: number;
  sumTotalFreq: number;
  /** Values of the document that is being added, moved to the columns by `completeField`. */
  readonly pendingNumbers: (number | bigint)[];
  readonly pendingIds: number[];
  readonly pendingPoints: number[];
  /**
   * Number of valid entries in each array above. The arrays are not shortened: that would free memory that the next
   * document needs again.
   */
  numberCount: number;
  idCount: number;
  pointCount: number;
  pendingBinary: Uint8Array | null;
  isPending: boolean;
}

function detailOf(layout: FieldLayout): PostingsDetail {
  if (layout.terms === null) return 'none';
  if (layout.terms.positions) return 'positions';
  return layout.terms.freqs ? 'freqs' : 'docs';
}

/** Returns an empty field whose postings grow in `pool`. */
export function fieldBuffer(layout: FieldLayout, pool: SlicePool): FieldBuffer {
  const { column, points } = layout;
  const isNumeric = column === 'long' || column === 'double';
  return {
    layout,
    terms: layout.terms !== null || column === 'ordinals' ? termStore(detailOf(layout), pool) : null,
    numbers: isNumeric || (points && column === null) ? numberStore() : null,
    ordinals: column === 'ordinals' ? ordinalStore() : null,
    geo: column === 'geo' || (points && column === null) ? geoStore() : null,
    binary: column === 'binary' ? binaryStore() : null,
    vectors: layout.vectors === undefined ? null : vectorStore(layout.vectors),
    norms: new Uint8Array(0),
    lastDoc: -1,
    lastLength: 0,
    docCount: 0,
    sumDocFreq: 0,
    sumTotalFreq: 0,
    pendingNumbers: [],
    pendingIds: [],
    pendingPoints: [],
    numberCount: 0,
    idCount: 0,
    pointCount: 0,
    pendingBinary: null,
    isPending: false,
  };
}

function enterDocument(field: FieldBuffer, doc: number): void {
  if (field.lastDoc === doc) return;
  field.lastDoc = doc;
  field.lastLength = 0;
  field.docCount++;
}

function setNorm(field: FieldBuffer, doc: number, length: number): number {
  field.lastLength += length;
  const norm = intToByte4(field.lastLength);
  if (!field.layout.terms!.norms) return 1;
  field.norms = growUint8(field.norms, doc + 1);
  field.norms[doc] = norm;
  return norm;
}

function addTokens(
  field: FieldBuffer,
  doc: number,
  terms: readonly string[],
  positions: ArrayLike<number>,
  length: number,
): void {
  const store = field.terms!;
  if (terms.length === 0) return;
  enterDocument(field, doc);
  const ids = internTokens(store, terms);
  if (store.detail === 'docs') {
    indexDistinct(field, doc, ids, terms.length);
    if (field.ordinals !== null) addTokenOrdinals(field.ordinals, store, doc, terms);
    return;
  }
  const norm = setNorm(field, doc, length);
  let distinct = 0;
  for (let i = 0; i < terms.length; i++) if (addOccurrence(store, ids[i]!, doc, norm, positions[i]!)) distinct++;
  field.sumDocFreq += distinct;
  field.sumTotalFreq += terms.length;
  if (field.ordinals !== null) addTokenOrdinals(field.ordinals, store, doc, terms);
}

/** Adds the tokens of a text field with field data to its column as well. */
function addTokenOrdinals(ordinals: OrdinalStore, store: TermStore, doc: number, terms: readonly string[]): void {
  addOrdinals(
    ordinals,
    store,
    doc,
    terms.map((term) => internTerm(store, term, true)),
    terms.length,
  );
}

/** Adds the terms of a field without frequencies. Its length for the norm is the number of distinct terms. */
function indexDistinct(field: FieldBuffer, doc: number, ids: ArrayLike<number>, count: number): void {
  const store = field.terms!;
  let distinct = 0;
  for (let i = 0; i < count; i++) if (addDocTerm(store, ids[i]!, doc)) distinct++;
  if (field.layout.terms!.norms) setNorm(field, doc, distinct);
  field.sumDocFreq += distinct;
  field.sumTotalFreq += distinct;
}

/** Adds terms without analysis to a field with frequencies. Lucene 9.9 counts each twice in the length of the field. */
function indexRepeated(field: FieldBuffer, doc: number, ids: readonly number[], count: number): void {
  const store = field.terms!;
  const norm = field.layout.terms!.norms ? setNorm(field, doc, 2 * count) : 1;
  let distinct = 0;
  for (let i = 0; i < count; i++) if (addOccurrence(store, ids[i]!, doc, norm, 0)) distinct++;
  field.sumDocFreq += distinct;
  field.sumTotalFreq += count;
}

/** Adds terms that come with their frequencies. */
function addWeights(field: FieldBuffer, doc: number, terms: readonly string[], freqs: readonly number[]): void {
  if (terms.length === 0) return;
  enterDocument(field, doc);
  const store = field.terms!;
  const ids = internTokens(store, terms);
  for (let i = 0; i < terms.length; i++) {
    if (!addWeight(store, ids[i]!, doc, freqs[i]!)) continue;
    field.sumDocFreq++;
    field.sumTotalFreq += freqs[i]!;
  }
}

function indexTerms(field: FieldBuffer, doc: number, ids: readonly number[], count: number): void {
  enterDocument(field, doc);
  if (field.terms!.detail === 'docs') indexDistinct(field, doc, ids, count);
  else indexRepeated(field, doc, ids, count);
}

function addTerms(field: FieldBuffer, terms: readonly string[]): void {
  const store = field.terms!;
  for (let i = 0; i < terms.length; i++) field.pendingIds[field.idCount++] = internTerm(store, terms[i]!, false);
}

/** Adds one entry of document `doc`. Returns true if `completeField` must be called at the end of the document. */
export function addEntry(field: FieldBuffer, doc: number, entry: FieldEntry): boolean {
  switch (entry.kind) {
    case 'tokens':
      addTokens(field, doc, entry.terms, entry.positions, entry.length);
      return false;
    case 'weights':
      addWeights(field, doc, entry.terms, entry.values);
      return false;
    case 'terms':
      addTerms(field, entry.terms);
      break;
    case 'numbers':
      for (const value of entry.values) field.pendingNumbers[field.numberCount++] = value;
      break;
    case 'points':
      for (const value of entry.values) field.pendingPoints[field.pointCount++] = value;
      break;
    case 'binary':
      field.pendingBinary = entry.value;
  }
  const isFirst = !field.isPending;
  field.isPending = true;
  return isFirst;
}

function completeTerms(field: FieldBuffer, doc: number): void {
  if (field.layout.terms !== null) indexTerms(field, doc, field.pendingIds, field.idCount);
  if (field.ordinals !== null) addOrdinals(field.ordinals, field.terms!, doc, field.pendingIds, field.idCount);
  field.idCount = 0;
}

/** Moves the values collected for `doc` into the columns. */
export function completeField(field: FieldBuffer, doc: number): void {
  field.isPending = false;
  if (field.idCount > 0) completeTerms(field, doc);
  if (field.numberCount > 0) {
    if (field.numberCount === 1) addNumber(field.numbers!, doc, field.pendingNumbers[0]!);
    else addNumbers(field.numbers!, doc, field.pendingNumbers, field.numberCount);
    field.numberCount = 0;
  }
  if (field.pointCount > 0) {
    addPoints(field.geo!, doc, field.pendingPoints, field.pointCount >>> 1);
    field.pointCount = 0;
  }
  if (field.pendingBinary !== null) {
    if (field.vectors !== null) addVector(field.vectors, doc, field.pendingBinary);
    else addBinary(field.binary!, doc, field.pendingBinary);
    field.pendingBinary = null;
  }
}

const FIELD_OVERHEAD_BYTES = 1024;

/** Returns the memory of one field in bytes, without the shared pool. */
export function fieldBytes(field: FieldBuffer): number {
  const { terms, numbers, ordinals, geo, binary, vectors } = field;
  return (
    FIELD_OVERHEAD_BYTES +
    field.norms.byteLength +
    (terms === null ? 0 : termStoreBytes(terms)) +
    (numbers === null ? 0 : numberStoreBytes(numbers)) +
    (ordinals === null ? 0 : ordinalStoreBytes(ordinals)) +
    (geo === null ? 0 : geoStoreBytes(geo)) +
    (binary === null ? 0 : binaryStoreBytes(binary)) +
    (vectors === null ? 0 : vectorStoreBytes(vectors))
  );
}
