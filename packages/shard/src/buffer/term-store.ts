import { compareTerms } from '@shoal/codec';
import { type ByteStreams, appendVarint, type SlicePool } from './byte-slices.kernel.js';
import { grownInt32, grownUint8 } from './grow.js';
import { sortTerms } from './sort-terms.js';

/** Substrings from this length on keep the text that they were cut from alive. */
const SLICED_LENGTH_MIN = 13;

/** What the dictionary keeps of postings: nothing (ordinals only), documents, frequencies too, positions too. */
export type PostingsDetail = 'none' | 'docs' | 'freqs' | 'positions';

/**
 * Dictionary and postings of one field. A term's number is its order of arrival. Its newest posting is kept apart (`lastDoc`, `lastFreq`)
 * until a later document has the term, so a term of one document has no stream.
 */
export interface TermStore {
  readonly detail: PostingsDetail;
  readonly pool: SlicePool;
  readonly ids: Map<string, number>;
  readonly terms: string[];
  /** Characters of all terms. */
  characters: number;
  /** Whether some term has a surrogate, so that `<` is not the order by code point. */
  hasSurrogates: boolean;
  firstDoc: Int32Array;
  lastDoc: Int32Array;
  /** Document before `lastDoc`: the base of the next delta in the stream. */
  prevDoc: Int32Array;
  lastFreq: Int32Array;
  lastPosition: Int32Array;
  docFreq: Int32Array;
  totalFreq: Int32Array;
  maxFreq: Int32Array;
  minNorm: Uint8Array;
  docStream: ByteStreams;
  positionStream: ByteStreams;
  /** Term numbers in term order, complete for the first `sorted.length` terms. */
  sorted: Int32Array;
}

const noStreams = (): ByteStreams => ({ head: new Int32Array(0), at: new Int32Array(0), end: new Int32Array(0), level: new Uint8Array(0) });

/** An empty dictionary whose streams grow in `pool`. */
export function termStore(detail: PostingsDetail, pool: SlicePool): TermStore {
  const none = new Int32Array(0);
  return {
    detail, pool, ids: new Map(), terms: [], characters: 0, hasSurrogates: false,
    firstDoc: none, lastDoc: none, prevDoc: none, lastFreq: none, lastPosition: none, docFreq: none, totalFreq: none, maxFreq: none,
    minNorm: new Uint8Array(0), docStream: noStreams(), positionStream: noStreams(), sorted: none,
  };
}

function hasSurrogate(term: string): boolean {
  for (let i = 0; i < term.length; i++) if ((term.charCodeAt(i) & 0xf800) === 0xd800) return true;
  return false;
}

/** A copy of its own characters alone, well-formed: lone surrogates become U+FFFD as in UTF-8. */
const ownedCopy = (term: string): string => Buffer.from(term, 'utf8').toString('utf8');

/** The number of a term as it is looked up by a query, or -1. */
export function findTerm(store: TermStore, term: string): number {
  return store.ids.get(term) ?? (store.hasSurrogates && hasSurrogate(term) ? store.ids.get(ownedCopy(term)) ?? -1 : -1);
}

function growStreams(streams: ByteStreams, need: number): void {
  streams.head = grownInt32(streams.head, need, -1);
  streams.at = grownInt32(streams.at, need);
  streams.end = grownInt32(streams.end, need);
  streams.level = grownUint8(streams.level, need);
}

function growStore(store: TermStore, need: number): void {
  store.firstDoc = grownInt32(store.firstDoc, need);
  if (store.detail === 'none') return;
  store.lastDoc = grownInt32(store.lastDoc, need, -1);
  store.prevDoc = grownInt32(store.prevDoc, need, -1);
  store.docFreq = grownInt32(store.docFreq, need);
  growStreams(store.docStream, need);
  if (store.detail === 'docs') return;
  store.lastFreq = grownInt32(store.lastFreq, need);
  store.totalFreq = grownInt32(store.totalFreq, need);
  store.maxFreq = grownInt32(store.maxFreq, need);
  store.minNorm = grownUint8(store.minNorm, need, 255);
  if (store.detail === 'freqs') return;
  store.lastPosition = grownInt32(store.lastPosition, need);
  growStreams(store.positionStream, need);
}

function addTerm(store: TermStore, term: string, doc: number, isSlice: boolean): number {
  let owned = term;
  if (hasSurrogate(term)) {
    owned = ownedCopy(term);
    store.hasSurrogates = true;
    const known = store.ids.get(owned);
    if (known !== undefined) return known;
  } else if (isSlice && term.length >= SLICED_LENGTH_MIN) owned = ownedCopy(term);
  const id = store.terms.length;
  store.ids.set(owned, id);
  store.terms.push(owned);
  store.characters += owned.length;
  if (store.firstDoc.length <= id) growStore(store, id + 1);
  store.firstDoc[id] = doc;
  return id;
}

/** The number of a term, a new one when it has none yet. `isSlice`: it may have been cut from a longer text. */
export function internTerm(store: TermStore, term: string, doc: number, isSlice: boolean): number {
  const id = store.ids.get(term);
  return id === undefined ? addTerm(store, term, doc, isSlice) : id;
}

function closePosting(store: TermStore, id: number, last: number): void {
  const delta = last - store.prevDoc[id]!;
  if (store.detail === 'docs') appendVarint(store.pool, store.docStream, id, delta);
  else {
    const freq = store.lastFreq[id]!;
    if (freq === 1) appendVarint(store.pool, store.docStream, id, (delta << 1) | 1);
    else {
      appendVarint(store.pool, store.docStream, id, delta << 1);
      appendVarint(store.pool, store.docStream, id, freq);
    }
  }
  store.prevDoc[id] = last;
}

/** Notes that `doc` has the term; false when it was noted before. */
export function addDocTerm(store: TermStore, id: number, doc: number): boolean {
  const last = store.lastDoc[id]!;
  if (last === doc) return false;
  if (last >= 0) closePosting(store, id, last);
  store.lastDoc[id] = doc;
  store.docFreq[id]!++;
  return true;
}

/** Notes one occurrence of the term; true when it is the document's first. `norm` is the document's norm byte. */
export function addOccurrence(store: TermStore, id: number, doc: number, norm: number, position: number): boolean {
  const isFirst = addDocTerm(store, id, doc);
  const freq = isFirst ? 1 : store.lastFreq[id]! + 1;
  store.lastFreq[id] = freq;
  store.totalFreq[id]!++;
  if (freq > store.maxFreq[id]!) store.maxFreq[id] = freq;
  if (norm < store.minNorm[id]!) store.minNorm[id] = norm;
  if (store.detail !== 'positions') return isFirst;
  appendVarint(store.pool, store.positionStream, id, isFirst ? position : position - store.lastPosition[id]!);
  store.lastPosition[id] = position;
  return isFirst;
}

/** Order of two of the store's terms, by code point. */
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

/** Numbers of all terms in term order; kept until there are new terms, which are then merged in. Not to be changed. */
export function sortedTerms(store: TermStore): Int32Array {
  const count = store.terms.length;
  const known = store.sorted.length;
  if (known === count) return store.sorted;
  const added = sortTerms(store.terms, known, count, store.hasSurrogates);
  store.sorted = known === 0 ? added : mergeSorted(store, store.sorted, added);
  return store.sorted;
}

const arraysBytes = (arrays: readonly ArrayBufferView[]): number => arrays.reduce((sum, a) => sum + a.byteLength, 0);

/** A string's header, its place in `terms`, its entry in the map (V8's ordered hash map, three words and the buckets, half full at worst). */
const TERM_OVERHEAD_BYTES = 16 + 8 + 48;

/** Bytes that the store takes besides the pool. */
export function termStoreBytes(store: TermStore): number {
  const { docStream: d, positionStream: p } = store;
  const arrays = [store.firstDoc, store.lastDoc, store.prevDoc, store.lastFreq, store.lastPosition, store.docFreq, store.totalFreq, store.maxFreq,
    store.minNorm, store.sorted, d.head, d.at, d.end, d.level, p.head, p.at, p.end, p.level];
  const width = store.hasSurrogates ? 2 : 1;
  return arraysBytes(arrays) + store.terms.length * TERM_OVERHEAD_BYTES + store.characters * width;
}
