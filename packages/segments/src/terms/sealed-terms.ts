import { decodePatched, packedAt, packedBytes } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type PostingsSource, SealedPostings, type TermPostings } from '../postings/postings-reader.js';
import {
  CHUNK_BYTES_MAX,
  POSTINGS_BLOCK_DOCS,
  type PostingsCursor,
  type TermsCursor,
  type TermsLayout,
  type TermsReader,
} from '../segment-reader.js';
import { ChunkCursor } from '../storage/chunk-cursor.js';
import { BlockWalk, type Dictionary } from './dictionary.js';
import { BLOCK_TERMS } from './dictionary-writer.js';

/** Counts of a field's terms, from the segment's table of fields. */
export interface TermsSummary {
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalFreq: number;
}

/** Decoded figures of one block of terms: frequencies and locations of postings. */
class BlockNumbers {
  readonly docFreqs = new Int32Array(BLOCK_TERMS);
  readonly extraFreqs = new Int32Array(BLOCK_TERMS);
  readonly singles = new Int32Array(BLOCK_TERMS);
  readonly smallBytes = new Int32Array(BLOCK_TERMS);
  readonly heads = new Float64Array(2 * BLOCK_TERMS);
  count = 0;
  postings = 0;
  positions = 0;
  readonly #input = new ChunkCursor();

  load(chunk: Uint8Array, start: number, layout: TermsLayout): void {
    const count = Math.min(chunk[start]!, BLOCK_TERMS);
    const input = this.#input.reset(chunk, start + 3 + (chunk[start + 1]! | (chunk[start + 2]! << 8)));
    this.count = count;
    this.postings = input.varint();
    this.positions = layout.positions ? input.varint() : 0;
    let at = decodePatched(chunk, input.at, count, this.docFreqs, 0);
    if (layout.freqs) at = decodePatched(chunk, at, count, this.extraFreqs, 0);
    at = this.#loadSingles(chunk, at);
    let smalls = 0;
    for (let i = 0; i < count; i++) if (this.docFreqs[i]! > 0 && this.docFreqs[i]! < POSTINGS_BLOCK_DOCS - 1) smalls++;
    input.at = decodePatched(chunk, at, smalls, this.smallBytes, 0);
    for (let i = 0, n = 0; i < count; i++) {
      if (this.docFreqs[i]! < POSTINGS_BLOCK_DOCS - 1) continue;
      this.heads[n++] = input.varint();
      this.heads[n++] = input.varint();
    }
  }

  #loadSingles(chunk: Uint8Array, start: number): number {
    const width = Math.min(chunk[start]!, 32);
    let n = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.docFreqs[i] !== 0) continue;
      this.singles[n] = packedAt(chunk, start + 1, width, n);
      n++;
    }
    const end = start + 1 + packedBytes(n, width);
    if (!(end <= chunk.length)) throw errors.corruption('documents run over the end of their block of terms');
    return end;
  }
}

class SealedTermsCursor implements TermsCursor {
  readonly #dictionary: Dictionary;
  readonly #walk = new BlockWalk();
  #block = -1;
  #first = 0;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  seek(term: string): boolean {
    this.#block = this.#dictionary.seek(term, this.#walk);
    if (this.#block < 0) return false;
    this.#first = this.#dictionary.firstOrdinal(this.#block);
    return this.#walk.index < this.#walk.count || this.#nextBlock();
  }

  next(): boolean {
    if (this.#block >= 0 && this.#walk.next()) return true;
    return this.#nextBlock();
  }

  get term(): string {
    return this.#walk.text();
  }

  get ordinal(): number {
    return this.#first + this.#walk.index;
  }

  #nextBlock(): boolean {
    if (this.#dictionary.termCount === 0 || this.#block + 1 >= this.#dictionary.blockCount) return false;
    this.#dictionary.open(++this.#block, this.#walk);
    this.#first = this.#dictionary.firstOrdinal(this.#block);
    return this.#walk.next();
  }
}

/** Reads the terms and postings of one field of a sealed segment. */
export class SealedTerms implements TermsReader {
  readonly termCount: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly layout: TermsLayout;
  readonly #dictionary: Dictionary;
  readonly #source: PostingsSource;
  readonly #numbers = new BlockNumbers();
  #loaded = -1;
  readonly #term: TermPostings = {
    docFreq: 0,
    totalFreq: 0,
    kind: 'single',
    doc: 0,
    address: 0,
    head: { address: 0, length: 0 },
    positionsEnd: 0,
    firstPosition: 0,
    positionCount: 0,
  };

  constructor(dictionary: Dictionary, summary: TermsSummary, source: PostingsSource) {
    this.termCount = dictionary.termCount;
    this.docCount = summary.docCount;
    this.sumDocFreq = summary.sumDocFreq;
    this.sumTotalTermFreq = summary.sumTotalFreq;
    this.layout = source.layout;
    this.#dictionary = dictionary;
    this.#source = source;
  }

  lookup(term: string): number {
    return this.#dictionary.lookup(term);
  }

  docFreq(ordinal: number): number {
    return this.#numbers.docFreqs[this.#load(ordinal)]! + 1;
  }

  totalTermFreq(ordinal: number): number {
    const i = this.#load(ordinal);
    return this.#numbers.docFreqs[i]! + 1 + (this.layout.freqs ? this.#numbers.extraFreqs[i]! : 0);
  }

  term(ordinal: number): string {
    return this.#dictionary.term(ordinal);
  }

  postings(ordinal: number, reuse?: PostingsCursor): PostingsCursor {
    const cursor = reuse instanceof SealedPostings ? reuse : new SealedPostings();
    this.#locate(this.#load(ordinal));
    cursor.open(this.#source, this.#term);
    return cursor;
  }

  cursor(): TermsCursor {
    return new SealedTermsCursor(this.#dictionary);
  }

  /** Decodes the figures of the block that contains `ordinal`; returns the index of the term in the block. */
  #load(ordinal: number): number {
    const block = this.#dictionary.blockOf(ordinal);
    if (this.#loaded !== block) {
      this.#loaded = -1;
      this.#numbers.load(this.#dictionary.chunk(block), this.#dictionary.address(block) % CHUNK_BYTES_MAX, this.layout);
      this.#loaded = block;
    }
    return ordinal - this.#dictionary.firstOrdinal(block);
  }

  #locate(index: number): void {
    const numbers = this.#numbers;
    const term = this.#term;
    let singles = 0;
    let smalls = 0;
    let larges = 0;
    let bytes = 0;
    let positions = 0;
    for (let i = 0; i < index; i++) {
      const docFreq = numbers.docFreqs[i]! + 1;
      if (docFreq >= POSTINGS_BLOCK_DOCS) larges++;
      else if (docFreq === 1) singles++;
      else bytes += numbers.smallBytes[smalls++]!;
      if (docFreq < POSTINGS_BLOCK_DOCS) positions += docFreq + numbers.extraFreqs[i]!;
    }
    term.docFreq = numbers.docFreqs[index]! + 1;
    term.totalFreq = term.docFreq + (this.layout.freqs ? numbers.extraFreqs[index]! : 0);
    term.kind = term.docFreq >= POSTINGS_BLOCK_DOCS ? 'large' : term.docFreq === 1 ? 'single' : 'small';
    term.doc = numbers.singles[singles]!;
    term.address = numbers.postings + bytes;
    term.firstPosition = positions;
    term.positionsEnd = numbers.positions;
    term.positionCount = this.#smallPositions();
    if (term.kind === 'large')
      term.head = { address: numbers.heads[2 * larges]!, length: numbers.heads[2 * larges + 1]! };
  }

  #smallPositions(): number {
    const numbers = this.#numbers;
    if (!this.layout.positions) return 0;
    let count = 0;
    for (let i = 0; i < numbers.count; i++) {
      const docFreq = numbers.docFreqs[i]! + 1;
      if (docFreq < POSTINGS_BLOCK_DOCS) count += docFreq + numbers.extraFreqs[i]!;
    }
    return count;
  }
}
