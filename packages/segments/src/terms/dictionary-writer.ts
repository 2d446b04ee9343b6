import { bitsOf, ByteWriter, encodePatched, packBits } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { POSTINGS_KIND, type PostingsWriter } from '../postings/postings-writer.js';
import { ChunkBuilder } from '../storage/chunk-cursor.js';
import type { PartWriter, SegmentOutput, StreamLocation } from '../storage/part-writer.js';

/** Number of terms in a full block. */
export const BLOCK_TERMS = 32;
/** Limit of the bytes of a term in UTF-8, as in Elasticsearch. */
export const TERM_BYTES_MAX = 32_766;
/** A block whose text exceeds this many bytes ends before it is full. */
const BLOCK_TEXT_MAX = 16_384;
/** Lengths below this fit into four bits of the head byte of a term; greater ones follow the head byte. */
export const NIBBLE_MAX = 15;

/** Occurrences of a term beyond one a document that a dictionary keeps; a greater number is cut off. */
export const EXTRA_FREQ_MAX = 2 ** 31 - 1;

/** Counts of a field's dictionary for the segment's table of fields. */
export interface DictionarySummary {
  readonly termCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalFreq: number;
  readonly index: StreamLocation;
}

/** Terms up to this length are encoded in a loop: a call into the runtime costs as much as 50 characters. */
const SHORT_TERM_MAX = 40;

function writeTerm(term: string, into: Buffer): number {
  const { length } = term;
  if (length > SHORT_TERM_MAX) return into.write(term, 0, 'utf8');
  for (let i = 0; i < length; i++) {
    const unit = term.charCodeAt(i);
    if (unit >= 0x80) return into.write(term, 0, 'utf8');
    into[i] = unit;
  }
  return length;
}

/**
 * Writes terms, which come in ascending order, in blocks of BLOCK_TERMS without shared prefixes, and a sparse index of
 * the blocks. If the field has postings, a term without postings is skipped.
 */
export class DictionaryWriter {
  termCount = 0;
  #sumDocFreq = 0;
  #sumTotalFreq = 0;
  readonly #postings: PostingsWriter | null;
  readonly #hasFreqs: boolean;
  readonly #hasPositions: boolean;
  readonly #part: PartWriter;
  readonly #indexPart: PartWriter;
  readonly #index = new ByteWriter();
  #blockCount = 0;
  #lastAddress = 0;
  readonly #text = new ChunkBuilder(BLOCK_TEXT_MAX + TERM_BYTES_MAX + 64);
  /** Number of terms in the current block; the arrays have the figures of these terms. */
  #count = 0;
  readonly #docFreqs = new Int32Array(BLOCK_TERMS);
  readonly #extraFreqs = new Int32Array(BLOCK_TERMS);
  readonly #singles = new Int32Array(BLOCK_TERMS);
  readonly #smallBytes = new Int32Array(BLOCK_TERMS);
  readonly #heads = new Float64Array(2 * BLOCK_TERMS);
  #singleCount = 0;
  #smallCount = 0;
  #headCount = 0;
  #term = Buffer.alloc(256);
  #termLength = 0;
  #previous = Buffer.alloc(256);
  #previousLength = 0;
  #separator = new Uint8Array(0);
  readonly #histogram = new Int32Array(33);
  readonly #out = new ChunkBuilder(65_000);

  constructor(output: SegmentOutput, postings: PostingsWriter | null, hasFreqs: boolean, hasPositions: boolean) {
    this.#postings = postings;
    this.#hasFreqs = hasFreqs;
    this.#hasPositions = hasPositions;
    this.#part = output.part('terms');
    this.#indexPart = output.part('index');
  }

  /** Starts a term, which must be greater than the one before. Throws illegal_argument_exception if it is too long. */
  begin(term: string): void {
    if (this.#term.length < term.length * 3) this.#term = Buffer.alloc(term.length * 3);
    this.#termLength = writeTerm(term, this.#term);
    if (this.#termLength > TERM_BYTES_MAX)
      throw errors.illegalArgument(`immense term of ${this.#termLength} bytes, at most ${TERM_BYTES_MAX} are allowed`);
    this.#postings?.begin();
  }

  /** Ends the term; returns its ordinal, or -1 if it is skipped. */
  end(): number {
    const postings = this.#postings;
    if (postings !== null) {
      const place = postings.end();
      if (place === POSTINGS_KIND.none) return -1;
      this.#appendNumbers(postings, place);
    }
    this.#appendText();
    this.#count++;
    if (this.#count === BLOCK_TERMS || this.#text.at >= BLOCK_TEXT_MAX || postings?.isSmallFull) this.#flush();
    return this.termCount++;
  }

  /** Writes the last block and the sparse index. */
  finish(): DictionarySummary {
    if (this.#count > 0) this.#flush();
    const out = new ByteWriter(this.#index.length + 8);
    out.varint(this.#blockCount);
    out.raw(this.#index.finish());
    const index = this.#indexPart.appendStream(out.finish());
    return { termCount: this.termCount, sumDocFreq: this.#sumDocFreq, sumTotalFreq: this.#sumTotalFreq, index };
  }

  #commonPrefix(): number {
    const end = Math.min(this.#termLength, this.#previousLength);
    let i = 0;
    while (i < end && this.#term[i] === this.#previous[i]) i++;
    return i;
  }

  #appendText(): void {
    const common = this.#commonPrefix();
    if (this.#count === 0)
      this.#separator = this.termCount === 0 ? new Uint8Array(0) : Uint8Array.from(this.#term.subarray(0, common + 1));
    const prefix = this.#count === 0 ? 0 : common;
    const suffix = this.#termLength - prefix;
    const text = this.#text;
    text.bytes[text.at++] = (Math.min(prefix, NIBBLE_MAX) << 4) | Math.min(suffix, NIBBLE_MAX);
    if (prefix >= NIBBLE_MAX) text.varint(prefix - NIBBLE_MAX);
    if (suffix >= NIBBLE_MAX) text.varint(suffix - NIBBLE_MAX);
    for (let i = prefix; i < this.#termLength; i++) text.bytes[text.at++] = this.#term[i]!;
    const swap = this.#previous;
    this.#previous = this.#term;
    this.#previousLength = this.#termLength;
    this.#term = swap;
  }

  /** Writes a block: number of terms, length of the text (u16), text, figures of the terms. */
  #flush(): void {
    const out = this.#out;
    const textBytes = this.#text.at;
    out.at = 0;
    out.bytes[out.at++] = this.#count;
    out.bytes[out.at++] = textBytes;
    out.bytes[out.at++] = textBytes >>> 8;
    out.bytes.set(this.#text.bytes.subarray(0, textBytes), out.at);
    out.at += textBytes;
    if (this.#postings !== null) this.#writeNumbers(this.#postings);
    const address = this.#part.append(out.bytes, 0, out.at);
    this.#writeIndexEntry(address);
    this.#count = 0;
    this.#singleCount = 0;
    this.#smallCount = 0;
    this.#headCount = 0;
    this.#text.at = 0;
  }

  #writeIndexEntry(address: number): void {
    this.#index.u8(this.#count);
    this.#index.varint(address - this.#lastAddress);
    this.#index.bytes(this.#separator);
    this.#lastAddress = address;
    this.#blockCount++;
  }

  #appendNumbers(postings: PostingsWriter, place: number): void {
    const { docFreq, totalFreq } = postings;
    this.#docFreqs[this.#count] = docFreq - 1;
    this.#extraFreqs[this.#count] = Math.min(totalFreq - docFreq, EXTRA_FREQ_MAX);
    this.#sumDocFreq += docFreq;
    this.#sumTotalFreq += totalFreq;
    if (place === POSTINGS_KIND.single) this.#singles[this.#singleCount++] = postings.singleDoc;
    else if (place === POSTINGS_KIND.small) this.#smallBytes[this.#smallCount++] = postings.smallListBytes;
    else {
      this.#heads[this.#headCount++] = postings.head.address;
      this.#heads[this.#headCount++] = postings.head.length;
    }
  }

  #writeNumbers(postings: PostingsWriter): void {
    const out = this.#out;
    const base = postings.flushSmall();
    out.varint(base.postings);
    if (this.#hasPositions) out.varint(base.positions);
    this.#writePatched(this.#docFreqs, this.#count);
    if (this.#hasFreqs) this.#writePatched(this.#extraFreqs, this.#count);
    this.#writeSingles();
    this.#writePatched(this.#smallBytes, this.#smallCount);
    for (let i = 0; i < this.#headCount; i++) out.varint(this.#heads[i]!);
  }

  #writePatched(values: Int32Array, count: number): void {
    this.#out.at = encodePatched(values, 0, count, this.#out.bytes, this.#out.at, this.#histogram);
  }

  #writeSingles(): void {
    let highest = 0;
    for (let i = 0; i < this.#singleCount; i++) highest = Math.max(highest, this.#singles[i]!);
    const width = bitsOf(highest);
    this.#out.bytes[this.#out.at++] = width;
    this.#out.at = packBits(this.#singles, 0, this.#singleCount, width, this.#out.bytes, this.#out.at);
  }
}
