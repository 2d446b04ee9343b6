import { compareTerms } from '@shoal/codec';
import { appendVarint, type SlicePool } from './byte-slices.kernel.js';
import { sortTerms } from './sort-terms.js';
import { textHash } from './hash-slots.kernel.js';
import {
  addIndexed,
  findCandidates,
  findIndexed,
  type TermIndex,
  termIndex,
  termIndexBytes,
} from './term-index.kernel.js';

/** Substrings of this length or more are slices in V8, which keep the text that they were cut from alive. */
const SLICED_LENGTH_MIN = 13;

/** Detail of the postings of a field: none (ordinals only), documents, with frequencies, with positions. */
export type PostingsDetail = 'none' | 'docs' | 'freqs' | 'positions';

/**
 * Dictionary and postings of one field. A term's number is its order of arrival. Its newest posting is kept in the
 * record (`lastDoc`, `lastFreq`) until a later document has the term. So a term of one document has no stream.
 */
export interface TermStore {
  readonly detail: PostingsDetail;
  readonly pool: SlicePool;
  readonly index: TermIndex;
  readonly terms: string[];
  /** Number of characters of all terms. */
  characters: number;
  /** Whether some term has a surrogate. Then the order by `<` is not the order by code point. */
  hasSurrogates: boolean;
  /** Records of the terms, `stride` words each; see TERM. */
  records: Int32Array;
  readonly stride: number;
  /** Term numbers in term order, for the first `sorted.length` terms. */
  sorted: Int32Array;
  /** Working arrays of `internTokens`. */
  found: Int32Array;
  hashes: Int32Array;
}

/**
 * Words of a term's record. Fields without frequencies use the first eight, half a cache line; other fields use a whole
 * one. `prevDoc` is the document before `lastDoc`, from which the next difference in the stream counts. `docs` and
 * `positions` begin the four words of a stream each.
 */
export const TERM = {
  lastDoc: 0,
  prevDoc: 1,
  docFreq: 2,
  lastFreq: 3,
  docs: 4,
  totalFreq: 8,
  maxFreq: 9,
  minNorm: 10,
  lastPosition: 11,
  positions: 12,
  /** Of a field without positions: how many times `totalFreq` has reached TOTAL_LIMIT and began anew. */
  totalCarry: 12,
} as const;

/** `totalFreq` is less than this: given frequencies (`addWeight`) add up to more than a word holds. */
const TOTAL_LIMIT = 1 << 30;

const STRIDE = { none: 0, docs: 8, freqs: 16, positions: 16 } as const;
const NORM_MAX = 255;

/** Returns an empty dictionary whose streams grow in `pool`. */
export function termStore(detail: PostingsDetail, pool: SlicePool): TermStore {
  return {
    detail,
    pool,
    index: termIndex(),
    terms: [],
    characters: 0,
    hasSurrogates: false,
    records: new Int32Array(0),
    stride: STRIDE[detail],
    sorted: new Int32Array(0),
    found: new Int32Array(0),
    hashes: new Int32Array(0),
  };
}

function hasSurrogate(term: string): boolean {
  for (let i = 0; i < term.length; i++) if ((term.charCodeAt(i) & 0xf800) === 0xd800) return true;
  return false;
}

/**
 * Returns a copy that does not keep a longer text alive. It is well-formed: lone surrogates become U+FFFD as in UTF-8.
 */
const ownedCopy = (term: string): string => Buffer.from(term, 'utf8').toString('utf8');

/** Returns the number of a term that a query looks up, or -1. */
export function findTerm(store: TermStore, term: string): number {
  const id = findIndexed(store.index, store.terms, term, textHash(term));
  if (id >= 0 || !store.hasSurrogates || !hasSurrogate(term)) return id;
  const owned = ownedCopy(term);
  return findIndexed(store.index, store.terms, owned, textHash(owned));
}

function growRecords(store: TermStore): void {
  const grown = new Int32Array(Math.max(16 * store.stride, store.records.length * 2));
  grown.set(store.records);
  store.records = grown;
}

function startRecord(store: TermStore, id: number): void {
  const { stride } = store;
  const at = id * stride;
  if (at === store.records.length) growRecords(store);
  const { records } = store;
  records[at + TERM.lastDoc] = -1;
  records[at + TERM.prevDoc] = -1;
  records[at + TERM.docs] = -1;
  if (stride === STRIDE.docs) return;
  records[at + TERM.minNorm] = NORM_MAX;
  if (store.detail === 'positions') records[at + TERM.positions] = -1;
}

function appendTerm(store: TermStore, owned: string, hash: number): number {
  const id = store.terms.length;
  store.terms.push(owned);
  addIndexed(store.index, store.terms, hash, id);
  store.characters += owned.length;
  if (store.stride > 0) startRecord(store, id);
  return id;
}

function addWellFormed(store: TermStore, term: string): number {
  store.hasSurrogates = true;
  const owned = ownedCopy(term);
  const hash = textHash(owned);
  const known = findIndexed(store.index, store.terms, owned, hash);
  return known >= 0 ? known : appendTerm(store, owned, hash);
}

/**
 * Returns the number of a term; a new term gets a new number. `isSlice` tells that the term may be cut from a longer
 * text.
 */
export function internTerm(store: TermStore, term: string, isSlice: boolean): number {
  return internHashed(store, term, textHash(term), isSlice);
}

function internHashed(store: TermStore, term: string, hash: number, isSlice: boolean): number {
  const id = findIndexed(store.index, store.terms, term, hash);
  if (id >= 0) return id;
  if (hasSurrogate(term)) return addWellFormed(store, term);
  return appendTerm(store, isSlice && term.length >= SLICED_LENGTH_MIN ? ownedCopy(term) : term, hash);
}

/**
 * Returns the numbers of a text's terms; new terms get new numbers. The terms may be cut from a longer text. The array
 * is valid until the next call.
 */
export function internTokens(store: TermStore, tokens: readonly string[]): Int32Array {
  const count = tokens.length;
  if (store.found.length < count) {
    store.found = new Int32Array(2 * count);
    store.hashes = new Int32Array(2 * count);
  }
  const { found, hashes, terms } = store;
  for (let i = 0; i < count; i++) hashes[i] = textHash(tokens[i]!);
  findCandidates(store.index, hashes, count, found);
  for (let i = 0; i < count; i++) {
    const id = found[i]!;
    if (id < 0 || terms[id] !== tokens[i]) found[i] = internHashed(store, tokens[i]!, hashes[i]!, true);
  }
  return found;
}

function closePosting(store: TermStore, at: number, last: number): void {
  const { records, pool } = store;
  const stream = at + TERM.docs;
  const delta = last - records[at + TERM.prevDoc]!;
  records[at + TERM.prevDoc] = last;
  if (store.detail === 'docs') {
    appendVarint(pool, records, stream, delta);
    return;
  }
  const freq = records[at + TERM.lastFreq]!;
  appendVarint(pool, records, stream, freq === 1 ? (delta << 1) | 1 : delta << 1);
  if (freq !== 1) appendVarint(pool, records, stream, freq);
}

/** Adds the term to `doc`; returns false if the document already has it. */
export function addDocTerm(store: TermStore, id: number, doc: number): boolean {
  const { records } = store;
  const at = id * store.stride;
  const last = records[at + TERM.lastDoc]!;
  if (last === doc) return false;
  if (last >= 0) closePosting(store, at, last);
  records[at + TERM.lastDoc] = doc;
  records[at + TERM.docFreq]!++;
  return true;
}

/** Adds one occurrence of the term; returns true if it is the document's first. `norm` is the document's norm byte. */
export function addOccurrence(store: TermStore, id: number, doc: number, norm: number, position: number): boolean {
  const isFirst = addDocTerm(store, id, doc);
  const { records } = store;
  const at = id * store.stride;
  const freq = isFirst ? 1 : records[at + TERM.lastFreq]! + 1;
  records[at + TERM.lastFreq] = freq;
  records[at + TERM.totalFreq]!++;
  if (freq > records[at + TERM.maxFreq]!) records[at + TERM.maxFreq] = freq;
  if (norm < records[at + TERM.minNorm]!) records[at + TERM.minNorm] = norm;
  if (store.detail !== 'positions') return isFirst;
  appendVarint(
    store.pool,
    records,
    at + TERM.positions,
    isFirst ? position : position - records[at + TERM.lastPosition]!,
  );
  records[at + TERM.lastPosition] = position;
  return isFirst;
}

/**
 * Adds a term with a frequency to a document of a field without positions; returns false, and changes nothing, if the
 * document has the term.
 */
export function addWeight(store: TermStore, id: number, doc: number, freq: number): boolean {
  if (!addDocTerm(store, id, doc)) return false;
  const { records } = store;
  const at = id * store.stride;
  records[at + TERM.lastFreq] = freq;
  let total = records[at + TERM.totalFreq]! + freq;
  if (total >= TOTAL_LIMIT) {
    total -= TOTAL_LIMIT;
    records[at + TERM.totalCarry]!++;
  }
  records[at + TERM.totalFreq] = total;
  if (freq > records[at + TERM.maxFreq]!) records[at + TERM.maxFreq] = freq;
  records[at + TERM.minNorm] = 1;
  return true;
}

/** Returns how often a term occurs in all documents. */
export function totalFreqOf(store: TermStore, id: number): number {
  const total = termWord(store, id, TERM.totalFreq);
  return store.detail === 'positions' ? total : total + TOTAL_LIMIT * termWord(store, id, TERM.totalCarry);
}

/** Returns a word of a term's record. */
export const termWord = (store: TermStore, id: number, word: number): number =>
  store.records[id * store.stride + word]!;

/** Compares two terms of the store by code point. */
export function compareStored(store: TermStore, a: number, b: number): number {
  const x = store.terms[a]!;
  const y = store.terms[b]!;
  if (store.hasSurrogates) return compareTerms(x, y);
  return x === y ? 0 : x < y ? -1 : 1;
}

function mergeSorted(store: TermStore, old: Int32Array, added: Int32Array): Int32Array {
  const out = new Int32Array(old.length + added.length);
  let i = 0;
  let j = 0;
  for (let k = 0; k < out.length; k++) {
    const takeOld = j === added.length || (i < old.length && compareStored(store, old[i]!, added[j]!) < 0);
    out[k] = takeOld ? old[i++]! : added[j++]!;
  }
  return out;
}

/**
 * Returns the numbers of all terms in term order. The array is cached; new terms are merged in at the next call.
 * Callers must not change it.
 */
export function sortedTerms(store: TermStore): Int32Array {
  const count = store.terms.length;
  const known = store.sorted.length;
  if (known === count) return store.sorted;
  const added = sortTerms(store.terms, known, count, store.hasSurrogates);
  store.sorted = known === 0 ? added : mergeSorted(store, store.sorted, added);
  return store.sorted;
}

/** Estimated bytes of a string's header and of its entry in `terms`. */
const TERM_OVERHEAD_BYTES = 24 + 8;

/** Returns the memory of the store in bytes, without the pool. */
export function termStoreBytes(store: TermStore): number {
  const width = store.hasSurrogates ? 2 : 1;
  return (
    store.records.byteLength +
    store.sorted.byteLength +
    termIndexBytes(store.index) +
    store.terms.length * TERM_OVERHEAD_BYTES +
    store.characters * width
  );
}
