import { decodePatched } from '@shoal/codec';
import { errors } from '@shoal/errors';
import {
  CHUNK_BYTES_MAX,
  type Impacts,
  NO_MORE_DOCS,
  POSTINGS_BLOCK_DOCS,
  type PostingsCursor,
  type TermsLayout,
} from '../segment-reader.js';
import { ChunkCursor } from '../storage/chunk-cursor.js';
import type { PartReader } from '../storage/part-reader.js';
import { blockAfter, type StreamLocation } from '../storage/part-writer.js';
import { type ImpactPairs, impactGatherer, impactPairs, addImpact, readImpacts, takeImpacts } from './impacts.js';
import { PositionStream } from './position-stream.js';
import { SKIP_GROUP_BLOCKS } from './postings-writer.js';

/** Figures of a term's postings, from the dictionary. Which fields are valid depends on `kind`. */
export interface TermPostings {
  docFreq: number;
  totalFreq: number;
  kind: 'single' | 'small' | 'large';
  /** Document of a 'single' list. */
  doc: number;
  /** Address of a 'small' list. */
  address: number;
  /** Skip data of a 'large' list. */
  head: StreamLocation;
  /**
   * For 'single' and 'small' lists, whose positions share a stream with the other lists of their block of terms: the
   * address after which the stream starts, the index of the list's first position, and the number of positions in all.
   */
  positionsEnd: number;
  firstPosition: number;
  positionCount: number;
}

/** Parts that the cursors of a field read. */
export interface PostingsSource {
  readonly layout: TermsLayout;
  readonly postings: PartReader;
  readonly positions: PartReader;
  readonly skips: PartReader;
  /** Norms of all documents, for the impacts of short lists; null if the field has none. */
  norms(): Uint8Array | null;
}

const NO_POSITIONS = new Int32Array(0);
const NO_BYTES = new Uint8Array(0);

/** Decoded skip entries of one group of blocks. */
class SkipGroup {
  readonly lastDocs = new Int32Array(SKIP_GROUP_BLOCKS);
  readonly addresses = new Float64Array(SKIP_GROUP_BLOCKS);
  readonly positionsBefore = new Float64Array(SKIP_GROUP_BLOCKS);
  readonly positionsEnd = new Float64Array(SKIP_GROUP_BLOCKS);
  readonly impactsAt = new Int32Array(SKIP_GROUP_BLOCKS);
  chunk: Uint8Array = NO_BYTES;
  readonly #input = new ChunkCursor();

  load(part: PartReader, address: number, blocks: number, lastDocBefore: number, layout: TermsLayout): void {
    this.chunk = part.chunk(address);
    const input = this.#input.reset(this.chunk, address % CHUNK_BYTES_MAX);
    let block = input.varint();
    let before = layout.positions ? input.varint() : 0;
    let end = layout.positions ? input.varint() : 0;
    let doc = lastDocBefore;
    for (let i = 0; i < blocks; i++) {
      doc += input.varint();
      const bytes = input.varint();
      block = blockAfter(block, bytes);
      this.lastDocs[i] = doc;
      this.addresses[i] = block;
      block += bytes;
      this.impactsAt[i] = input.at;
      if (layout.freqs) for (let pairs = 2 * input.varint(); pairs > 0; pairs--) input.varint();
      this.positionsBefore[i] = before;
      this.positionsEnd[i] = end;
      if (!layout.positions) continue;
      before += input.varint();
      end += input.varint();
    }
  }

  /** Releases the chunk. */
  park(): void {
    this.chunk = NO_BYTES;
    this.#input.reset(NO_BYTES, 0);
  }
}

const GROUPS_MAX = 1 << 24;
const POSITIONS_MIN = 64;
/** A parked cursor releases arrays of more elements than this. */
const PARKED_LENGTH_MAX = 1024;

/** Cursor over the postings of a term of a sealed segment. */
export class SealedPostings implements PostingsCursor {
  docFreq = 0;
  size = 0;
  readonly docs = new Int32Array(POSTINGS_BLOCK_DOCS);
  positionBuffer: Int32Array = NO_POSITIONS;
  #source: PostingsSource | null = null;
  readonly #freqs = new Int32Array(POSTINGS_BLOCK_DOCS);
  #freqsChunk: Uint8Array | null = null;
  #freqsAt = 0;
  #isSingleFreq = false;
  #kind: TermPostings['kind'] = 'single';
  #totalFreq = 0;
  #blocks = 0;
  #loaded = -1;
  /** Block whose impacts `impacts` returns. */
  #reached = 0;
  // Positions
  #stream: PositionStream | null = null;
  #hasPositions = false;
  #positionsBefore = 0;
  #positionsEnd = 0;
  #positionTotal = 0;
  #positionDoc = 0;
  #positionIndex = 0;
  // Skip data of a large list
  #groupLast = new Int32Array(0);
  #groupAddress = new Float64Array(0);
  #group: SkipGroup | null = null;
  #groupIndex = -1;
  readonly #input = new ChunkCursor();
  readonly #impacts = impactPairs(0);
  readonly #global = impactPairs(0);
  #hasGlobal = false;

  get freqs(): Int32Array {
    if (this.#freqsChunk !== null) this.#decodeFreqs();
    return this.#freqs;
  }

  /** Opens the postings of a term, before the first block. */
  open(source: PostingsSource, term: TermPostings): void {
    if (this.#source !== source) this.#enter(source);
    this.docFreq = term.docFreq;
    this.#totalFreq = term.totalFreq;
    this.#kind = term.kind;
    this.#blocks = Math.ceil(term.docFreq / POSTINGS_BLOCK_DOCS);
    this.size = 0;
    this.#loaded = -1;
    this.#reached = 0;
    this.#hasGlobal = false;
    this.#freqsChunk = null;
    this.#isSingleFreq = !source.layout.freqs || term.totalFreq === term.docFreq;
    if (term.kind === 'large') this.#openLarge(term.head);
    else this.#openSmall(term);
  }

  park(): void {
    this.#source = null;
    this.#freqsChunk = null;
    this.#input.reset(NO_BYTES, 0);
    this.#group?.park();
    this.#stream?.enter(null);
    if (this.positionBuffer.length > PARKED_LENGTH_MAX) this.positionBuffer = NO_POSITIONS;
    if (this.#groupLast.length <= PARKED_LENGTH_MAX) return;
    this.#groupLast = new Int32Array(0);
    this.#groupAddress = new Float64Array(0);
  }

  #enter(source: PostingsSource): void {
    this.#source = source;
    this.#hasPositions = source.layout.positions;
    this.#stream?.enter(source.positions);
  }

  nextBlock(): number {
    return this.#load(this.#loaded + 1);
  }

  advanceBlock(target: number): number {
    if (this.size > 0 && this.docs[this.size - 1]! >= target) return this.size;
    return this.#load(this.#blockOf(target, this.#loaded + 1));
  }

  shallowAdvance(target: number): number {
    const block = this.#blockOf(target, this.#loaded < 0 ? 0 : this.#loaded);
    if (block >= this.#blocks) return NO_MORE_DOCS;
    this.#reached = block;
    return this.#lastDocOf(block);
  }

  impacts(): Impacts {
    if (this.#kind !== 'large') return this.globalImpacts();
    if (!this.#source!.layout.freqs) return this.#constantImpacts(this.#impacts);
    this.#loadGroup(Math.floor(this.#reached / SKIP_GROUP_BLOCKS));
    const group = this.#group!;
    readImpacts(this.#input.reset(group.chunk, group.impactsAt[this.#reached % SKIP_GROUP_BLOCKS]!), this.#impacts);
    return this.#impacts;
  }

  globalImpacts(): Impacts {
    if (this.#hasGlobal) return this.#global;
    this.#hasGlobal = true;
    return this.#source!.layout.freqs ? this.#gatherSmall() : this.#constantImpacts(this.#global);
  }

  positions(i: number): number {
    if (!this.#hasPositions) return 0;
    const { freqs } = this;
    const stream = this.#openStream();
    if (i < this.#positionDoc) this.#rewindPositions();
    while (this.#positionDoc < i) this.#positionIndex += freqs[this.#positionDoc++]!;
    const freq = freqs[i]!;
    stream.require(this.#positionIndex, freq);
    if (this.positionBuffer.length < freq) this.positionBuffer = new Int32Array(Math.max(2 * freq, POSITIONS_MIN));
    if (stream.isBehind(this.#positionIndex)) this.#resetStream();
    stream.read(this.#positionIndex, freq, this.positionBuffer);
    return freq;
  }

  positionSteps(count: number, into: Int32Array, at: number): void {
    const stream = this.#openStream();
    stream.require(this.#positionIndex, count);
    stream.readSteps(this.#positionIndex, count, into, at);
    this.#positionIndex += count;
  }

  #openStream(): PositionStream {
    if (this.#stream === null) {
      this.#stream = new PositionStream(this.#source!.positions);
      this.#resetStream();
    }
    return this.#stream;
  }

  #openSmall(term: TermPostings): void {
    this.#positionsBefore = term.firstPosition;
    this.#positionsEnd = term.positionsEnd;
    this.#positionTotal = term.positionCount;
    if (term.kind === 'single') {
      this.docs[0] = term.doc;
      this.#freqs[0] = this.#source!.layout.freqs ? term.totalFreq : 1;
    } else {
      const chunk = this.#source!.postings.chunk(term.address);
      this.#decodeBlock(chunk, term.address % CHUNK_BYTES_MAX, term.docFreq, -1);
    }
  }

  #openLarge(head: StreamLocation): void {
    const input = this.#input.reset(this.#source!.skips.view(head), 0);
    const groups = Math.ceil(this.#blocks / SKIP_GROUP_BLOCKS);
    if (groups > GROUPS_MAX) throw errors.corruption('posting list of too many blocks');
    if (this.#groupLast.length < groups) {
      this.#groupLast = new Int32Array(groups);
      this.#groupAddress = new Float64Array(groups);
    }
    let doc = -1;
    let address = 0;
    for (let g = 0; g < groups; g++) {
      this.#groupLast[g] = doc += input.varint();
      this.#groupAddress[g] = address += input.varint();
    }
    this.#groupIndex = -1;
    this.#positionTotal = this.#totalFreq;
    if (!this.#source!.layout.freqs) return;
    readImpacts(input, this.#global);
    this.#hasGlobal = true;
  }

  #loadGroup(g: number): void {
    if (this.#groupIndex === g) return;
    this.#group ??= new SkipGroup();
    const blocks = Math.min(SKIP_GROUP_BLOCKS, this.#blocks - g * SKIP_GROUP_BLOCKS);
    this.#group.load(
      this.#source!.skips,
      this.#groupAddress[g]!,
      blocks,
      g === 0 ? -1 : this.#groupLast[g - 1]!,
      this.#source!.layout,
    );
    this.#groupIndex = g;
  }

  #lastDocOf(block: number): number {
    if (this.#kind !== 'large') return this.docs[this.docFreq - 1]!;
    this.#loadGroup(Math.floor(block / SKIP_GROUP_BLOCKS));
    return this.#group!.lastDocs[block % SKIP_GROUP_BLOCKS]!;
  }

  /** First block >= from with a document >= target; the number of blocks if there is none. */
  #blockOf(target: number, from: number): number {
    if (from >= this.#blocks) return this.#blocks;
    if (this.#kind !== 'large') return this.docs[this.docFreq - 1]! >= target ? 0 : 1;
    const groups = Math.ceil(this.#blocks / SKIP_GROUP_BLOCKS);
    let g = Math.floor(from / SKIP_GROUP_BLOCKS);
    while (g < groups && this.#groupLast[g]! < target) g++;
    if (g === groups) return this.#blocks;
    this.#loadGroup(g);
    const { lastDocs } = this.#group!;
    const end = Math.min(this.#blocks - g * SKIP_GROUP_BLOCKS, SKIP_GROUP_BLOCKS) - 1;
    let i = Math.max(from - g * SKIP_GROUP_BLOCKS, 0);
    while (i < end && lastDocs[i]! < target) i++;
    return g * SKIP_GROUP_BLOCKS + i;
  }

  #load(block: number): number {
    if (block >= this.#blocks) {
      this.#loaded = this.#blocks;
      this.size = 0;
      return 0;
    }
    this.#loaded = block;
    this.#reached = block;
    this.size = Math.min(POSTINGS_BLOCK_DOCS, this.docFreq - block * POSTINGS_BLOCK_DOCS);
    if (this.#kind === 'large') this.#loadLarge(block);
    if (this.#hasPositions) this.#rewindPositions();
    if (this.#stream !== null) this.#resetStream();
    return this.size;
  }

  #loadLarge(block: number): void {
    this.#loadGroup(Math.floor(block / SKIP_GROUP_BLOCKS));
    const group = this.#group!;
    const i = block % SKIP_GROUP_BLOCKS;
    const before =
      i > 0 ? group.lastDocs[i - 1]! : this.#groupIndex === 0 ? -1 : this.#groupLast[this.#groupIndex - 1]!;
    const address = group.addresses[i]!;
    this.#decodeBlock(this.#source!.postings.chunk(address), address % CHUNK_BYTES_MAX, this.size, before);
    this.#positionsBefore = group.positionsBefore[i]!;
    this.#positionsEnd = group.positionsEnd[i]!;
  }

  #decodeBlock(chunk: Uint8Array, at: number, count: number, before: number): void {
    const { docs } = this;
    const end = decodePatched(chunk, at, count, docs, 0);
    let doc = before;
    for (let i = 0; i < count; i++) {
      doc += docs[i]! + 1;
      docs[i] = doc;
    }
    if (this.#isSingleFreq) this.#freqs.fill(1, 0, count);
    else {
      this.#freqsChunk = chunk;
      this.#freqsAt = end;
    }
  }

  #decodeFreqs(): void {
    const count = this.#kind === 'large' ? this.size : this.docFreq;
    decodePatched(this.#freqsChunk!, this.#freqsAt, count, this.#freqs, 0);
    for (let i = 0; i < count; i++) this.#freqs[i]!++;
    this.#freqsChunk = null;
  }

  #rewindPositions(): void {
    this.#positionDoc = 0;
    this.#positionIndex = this.#positionsBefore;
  }

  #resetStream(): void {
    this.#stream!.reset(
      Math.floor(this.#streamStart() / POSTINGS_BLOCK_DOCS),
      this.#positionsEnd,
      this.#positionTotal,
      this.#positionIndex,
    );
  }

  /** Index of the first position in the stream before the block: a small list starts with its block of terms. */
  #streamStart(): number {
    return this.#kind === 'large' ? this.#positionsBefore : 0;
  }

  #constantImpacts(out: ImpactPairs): Impacts {
    out.count = 1;
    out.freqs = Int32Array.of(1);
    out.norms = Uint8Array.of(1);
    return out;
  }

  #gatherSmall(): Impacts {
    const gatherer = impactGatherer();
    const norms = this.#source!.norms();
    const { freqs } = this;
    for (let i = 0; i < this.docFreq; i++) addImpact(gatherer, freqs[i]!, norms === null ? 1 : norms[this.docs[i]!]!);
    const all = impactPairs();
    takeImpacts(gatherer, all);
    this.#global.count = all.count;
    this.#global.freqs = all.freqs;
    this.#global.norms = all.norms;
    return this.#global;
  }
}
