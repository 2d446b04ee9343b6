import { type Impacts, NO_MORE_DOCS, POSTINGS_BLOCK_DOCS, type PostingsCursor } from '@shoal/segments';
import { readPostings, readSteps, readSums, readVarint, rewind, type StreamReader } from './byte-slices.kernel.js';
import { TERM, type TermStore, termWord, totalFreqOf } from './term-store.js';

const DEPTH_START = 64;

/**
 * Returns how many documents below `limit` have a term. Reads the postings only if later documents have the term too.
 */
export function visibleDocFreq(store: TermStore, id: number, limit: number): number {
  return termWord(store, id, TERM.lastDoc) < limit
    ? termWord(store, id, TERM.docFreq)
    : countVisible(store, id, limit, false);
}

/** Returns how often a term occurs in documents below `limit`. */
export function visibleTotalFreq(store: TermStore, id: number, limit: number): number {
  if (store.detail === 'docs') return visibleDocFreq(store, id, limit);
  return termWord(store, id, TERM.lastDoc) < limit ? totalFreqOf(store, id) : countVisible(store, id, limit, true);
}

function countVisible(store: TermStore, id: number, limit: number, occurrences: boolean): number {
  const cursor = bufferPostings(store, id, limit);
  let count = 0;
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
    if (!occurrences) count += size;
    else for (let i = 0; i < size; i++) count += cursor.freqs[i]!;
  }
  return count;
}

/**
 * Cursor over a term's stream and then its newest posting, which is not in the stream yet. Documents may be added
 * between two calls. `#read` counts the postings read so far: once a later posting has replaced the newest one, the
 * cursor finds the replaced posting in the stream.
 */
class BufferPostings implements PostingsCursor {
  readonly docs = new Int32Array(POSTINGS_BLOCK_DOCS);
  readonly freqs = new Int32Array(POSTINGS_BLOCK_DOCS).fill(1);
  positionBuffer = new Int32Array(DEPTH_START);
  size = 0;
  readonly #store: TermStore;
  readonly #limit: number;
  readonly #doc: StreamReader = { at: 0, end: 0, level: 0 };
  readonly #position: StreamReader = { at: 0, end: 0, level: 0 };
  readonly #blockStart: StreamReader = { at: 0, end: 0, level: 0 };
  readonly #impacts: { count: number; freqs: Int32Array; norms: Uint8Array } = {
    count: 1,
    freqs: new Int32Array(1),
    norms: new Uint8Array(1),
  };
  #id: number;
  #read = 0;
  #last = -1;
  /** Index in the block of the document whose positions come next in the position stream. */
  #nextPositions = 0;
  #isDone = false;

  constructor(store: TermStore, id: number, limit: number) {
    this.#store = store;
    this.#limit = limit;
    this.#id = id;
    this.reset(id);
  }

  belongsTo(store: TermStore, limit: number): boolean {
    return this.#store === store && this.#limit === limit;
  }

  reset(id: number): void {
    this.#id = id;
    this.#read = 0;
    this.#last = -1;
    this.#isDone = false;
    this.size = 0;
    this.#nextPositions = 0;
    this.#rewindDocs();
    if (this.#store.detail === 'positions')
      rewind(this.#position, this.#store.records, id * this.#store.stride + TERM.positions);
  }

  get docFreq(): number {
    return visibleDocFreq(this.#store, this.#id, this.#limit);
  }

  nextBlock(): number {
    this.#finishPositions();
    const size = this.#isDone ? 0 : this.#readBlock();
    this.#nextPositions = 0;
    copyReader(this.#position, this.#blockStart);
    this.size = size;
    return size;
  }

  advanceBlock(target: number): number {
    if (this.size > 0 && this.docs[this.size - 1]! >= target) return this.size;
    while (this.nextBlock() > 0) if (this.docs[this.size - 1]! >= target) return this.size;
    return 0;
  }

  shallowAdvance(target: number): number {
    const last = Math.min(termWord(this.#store, this.#id, TERM.lastDoc), this.#limit - 1);
    return target > last ? NO_MORE_DOCS : last;
  }

  impacts(): Impacts {
    return this.globalImpacts();
  }

  globalImpacts(): Impacts {
    const hasFreqs = this.#store.detail !== 'docs';
    this.#impacts.freqs[0] = hasFreqs ? termWord(this.#store, this.#id, TERM.maxFreq) : 1;
    this.#impacts.norms[0] = hasFreqs ? termWord(this.#store, this.#id, TERM.minNorm) : 1;
    return this.#impacts;
  }

  positions(i: number): number {
    if (i < this.#nextPositions) {
      copyReader(this.#blockStart, this.#position);
      this.#nextPositions = 0;
    }
    while (this.#nextPositions < i) this.#skipPositions();
    return this.#readPositions();
  }

  positionSteps(count: number, into: Int32Array, at: number): void {
    readSteps(this.#store.pool, this.#position, count, into, at);
    this.#nextPositions = this.size;
  }

  #rewindDocs(): void {
    rewind(this.#doc, this.#store.records, this.#id * this.#store.stride + TERM.docs);
  }

  #readBlock(): number {
    const store = this.#store;
    const inStream = termWord(store, this.#id, TERM.docFreq) - 1 - this.#read;
    let size = Math.min(POSTINGS_BLOCK_DOCS, inStream);
    if (size > 0) this.#readFromStream(size);
    if (size < POSTINGS_BLOCK_DOCS) {
      this.docs[size] = termWord(store, this.#id, TERM.lastDoc);
      if (store.detail !== 'docs') this.freqs[size] = termWord(store, this.#id, TERM.lastFreq);
      size++;
      this.#isDone = true;
    }
    while (size > 0 && this.docs[size - 1]! >= this.#limit) {
      size--;
      this.#isDone = true;
    }
    this.#read += size;
    return size;
  }

  #readFromStream(count: number): void {
    if (this.#doc.at < 0) this.#rewindDocs();
    this.#last = readPostings(
      this.#store.pool,
      this.#doc,
      count,
      this.#last,
      this.#store.detail !== 'docs',
      this.docs,
      this.freqs,
    );
  }

  #readPositions(): number {
    const freq = this.freqs[this.#nextPositions++]!;
    if (this.#store.detail !== 'positions') return 0;
    if (this.positionBuffer.length < freq) this.positionBuffer = new Int32Array(freq * 2);
    readSums(this.#store.pool, this.#position, freq, this.positionBuffer);
    return freq;
  }

  #skipPositions(): void {
    const freq = this.freqs[this.#nextPositions++]!;
    for (let i = 0; i < freq; i++) readVarint(this.#store.pool, this.#position);
  }

  /** Skips the position stream to the end of the loaded block. */
  #finishPositions(): void {
    if (this.#store.detail !== 'positions') return;
    while (this.#nextPositions < this.size) this.#skipPositions();
  }
}

function copyReader(from: StreamReader, to: StreamReader): void {
  to.at = from.at;
  to.end = from.end;
  to.level = from.level;
}

/**
 * Returns a cursor over the postings of a term in documents below `limit`. `reuse` is taken if it reads the same field.
 */
export function bufferPostings(store: TermStore, id: number, limit: number, reuse?: PostingsCursor): PostingsCursor {
  if (reuse instanceof BufferPostings && reuse.belongsTo(store, limit)) {
    reuse.reset(id);
    return reuse;
  }
  return new BufferPostings(store, id, limit);
}
