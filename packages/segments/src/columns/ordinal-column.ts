import { CHUNK_BYTES_MAX, type MultiOrdinals, type OrdinalColumn, WINDOW_DOCS } from '../segment-reader.js';
import { reserveOrdinals, reserveStarts } from '../multi-values.js';
import type { CachedRuns } from './cached-runs.js';
import type { PartReader } from '../storage/part-reader.js';
import { BLOCK_VALUES, decodeInts, loadNumberBlock, numberAt, numberBlock } from '../values/number-block.kernel.js';
import { endOfWindow } from './number-column.js';
import { PRESENCE, type WindowDirectory } from './window-directory.js';
import { DENSE_DOCS, WindowPresence } from './window-presence.js';
import type { ColumnSummary } from './window-writer.js';

/** Dictionary of the terms that the ordinals of a column number. */
export interface OrdinalTerms {
  readonly termCount: number;
  term(ordinal: number): string;
  lookup(term: string): number;
}

/** A column of ordinals of a sealed segment; ordinals are in term order. */
export class SealedOrdinalColumn implements OrdinalColumn {
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued: boolean;
  readonly ordinalCount: number;
  readonly #directory: WindowDirectory;
  readonly #part: PartReader;
  readonly #presence: WindowPresence;
  readonly #terms: OrdinalTerms;
  readonly #block = numberBlock();
  readonly #kept: CachedRuns<Int32Array<ArrayBuffer>>;
  #chunk: Uint8Array | null = null;
  #loaded = -1;
  /** Buffer for decoded runs that the cache does not take. */
  #own = new Int32Array(0);
  #decoded = new Int32Array(0);
  #decodedBlock = -1;

  constructor(
    summary: ColumnSummary,
    directory: WindowDirectory,
    part: PartReader,
    maxDoc: number,
    terms: OrdinalTerms,
    kept: CachedRuns<Int32Array<ArrayBuffer>>,
  ) {
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.isSingleValued = summary.isSingleValued;
    this.ordinalCount = terms.termCount;
    this.#directory = directory;
    this.#part = part;
    this.#terms = terms;
    this.#kept = kept;
    this.#presence = new WindowPresence(directory, part, maxDoc);
  }

  nextDocWithField(target: number): number {
    return this.#presence.next(target);
  }

  term(ordinal: number): string {
    return this.#terms.term(ordinal);
  }

  lookup(term: string): number {
    return this.#terms.lookup(term);
  }

  ranks(): null {
    return null;
  }

  read(docs: Int32Array, count: number, out: Int32Array): void {
    for (let i = 0; i < count; ) {
      const w = docs[i]! >>> 12;
      const j = endOfWindow(docs, i, count, w);
      if (this.#directory.modes[w] === PRESENCE.none) out.fill(-1, i, j);
      else if (j - i < DENSE_DOCS) this.#readFew(w, docs, i, j, out);
      else if (this.#directory.modes[w] === PRESENCE.full) this.#readFull(w, docs, i, j, out);
      else this.#readMany(w, docs, i, j, out);
      i = j;
    }
  }

  readRange(from: number, to: number, out: Int32Array): void {
    for (let doc = from; doc < to; ) {
      const w = doc >>> 12;
      const end = Math.min(to, (w + 1) * WINDOW_DOCS);
      this.#readWindowRange(w, doc - w * WINDOW_DOCS, end - w * WINDOW_DOCS, out, doc - from);
      doc = end;
    }
  }

  readAll(docs: Int32Array, count: number, out: MultiOrdinals): void {
    const starts = reserveStarts(out, count);
    let at = 0;
    for (let i = 0; i < count; ) {
      const w = docs[i]! >>> 12;
      const j = endOfWindow(docs, i, count, w);
      at =
        j - i < DENSE_DOCS
          ? this.#readFewAll(w, docs, i, j, out, starts, at)
          : this.#readManyAll(w, docs, i, j, out, starts, at);
      i = j;
    }
    starts[count] = at;
  }

  #load(w: number, run: number): number {
    const block = this.#directory.firstBlocks[w]! + run;
    if (this.#loaded === block) return block;
    const address = this.#directory.blocks[block]!;
    const count = Math.min(BLOCK_VALUES, this.#directory.valueCounts[w]! - run * BLOCK_VALUES);
    this.#chunk = this.#part.chunk(address);
    loadNumberBlock(this.#chunk, address % CHUNK_BYTES_MAX, count, this.#block);
    this.#loaded = block;
    return block;
  }

  #at(w: number, index: number): number {
    if (this.#decodedBlock === this.#directory.firstBlocks[w]! + (index >>> 12))
      return this.#decoded[index & (BLOCK_VALUES - 1)]!;
    this.#load(w, index >>> 12);
    return numberAt(this.#chunk!, this.#block, index & (BLOCK_VALUES - 1));
  }

  #run(w: number, run: number): Int32Array {
    const block = this.#directory.firstBlocks[w]! + run;
    if (this.#decodedBlock !== block) {
      this.#decoded = this.#kept.find(block) ?? this.#decode(w, run, block);
      this.#decodedBlock = block;
    }
    return this.#decoded;
  }

  #decode(w: number, run: number, block: number): Int32Array<ArrayBuffer> {
    this.#load(w, run);
    if (this.#own.length === 0) this.#own = new Int32Array(BLOCK_VALUES);
    decodeInts(this.#chunk!, this.#block, this.#own, 0);
    return this.#kept.keep(block, this.#own, this.#block.count) ?? this.#own;
  }

  /**
   * Decodes the first run of window `w`, of which `count` values will be read, if it is cached or worth caching.
   * Returns whether it is decoded now; if not, values are read one by one.
   */
  #preferCached(w: number, count: number): boolean {
    const block = this.#directory.firstBlocks[w]!;
    if (this.#decodedBlock === block) return true;
    const kept =
      this.#kept.find(block) ?? (this.#kept.isWorthDecoding(block, count) ? this.#decode(w, 0, block) : null);
    if (kept === null) return false;
    this.#decoded = kept;
    this.#decodedBlock = block;
    return true;
  }

  #readFew(w: number, docs: Int32Array, i: number, j: number, out: Int32Array): void {
    if (this.#preferCached(w, j - i) && this.#directory.modes[w] === PRESENCE.full)
      return this.#readFull(w, docs, i, j, out);
    const base = w * WINDOW_DOCS;
    for (let k = i; k < j; k++)
      out[k] = this.#presence.locate(w, docs[k]! - base) ? this.#at(w, this.#presence.from) : -1;
  }

  #readFull(w: number, docs: Int32Array, i: number, j: number, out: Int32Array): void {
    const values = this.#run(w, 0);
    for (let k = i; k < j; k++) out[k] = values[docs[k]! & (WINDOW_DOCS - 1)]!;
  }

  #readMany(w: number, docs: Int32Array, i: number, j: number, out: Int32Array): void {
    const starts = this.#presence.starts(w);
    let run = 0;
    let values = this.#run(w, 0);
    for (let k = i; k < j; k++) {
      const offset = docs[k]! & (WINDOW_DOCS - 1);
      const v = starts[offset]!;
      if (v >>> 12 !== run && starts[offset + 1] !== v) values = this.#run(w, (run = v >>> 12));
      out[k] = starts[offset + 1] === v ? -1 : values[v & (BLOCK_VALUES - 1)]!;
    }
  }

  #readWindowRange(w: number, from: number, to: number, out: Int32Array, outAt: number): void {
    const mode = this.#directory.modes[w];
    if (mode === PRESENCE.none) out.fill(-1, outAt, outAt + to - from);
    else if (mode === PRESENCE.full) out.set(this.#run(w, 0).subarray(from, to), outAt);
    else this.#readSparseRange(w, from, to, out, outAt);
  }

  #readSparseRange(w: number, from: number, to: number, out: Int32Array, outAt: number): void {
    const starts = this.#presence.starts(w);
    let run = 0;
    let values = this.#run(w, 0);
    for (let i = from; i < to; i++) {
      const v = starts[i]!;
      if (starts[i + 1] === v) {
        out[outAt + i - from] = -1;
        continue;
      }
      if (v >>> 12 !== run) values = this.#run(w, (run = v >>> 12));
      out[outAt + i - from] = values[v & (BLOCK_VALUES - 1)]!;
    }
  }

  #readFewAll(
    w: number,
    docs: Int32Array,
    i: number,
    j: number,
    out: MultiOrdinals,
    starts: Int32Array,
    from: number,
  ): number {
    let at = from;
    for (let k = i; k < j; k++) {
      starts[k] = at;
      if (!this.#presence.locate(w, docs[k]! & (WINDOW_DOCS - 1))) continue;
      const { from: first, to: end } = this.#presence;
      const values = reserveOrdinals(out, at + end - first);
      for (let v = first; v < end; v++) values[at++] = this.#at(w, v);
    }
    return at;
  }

  #readManyAll(
    w: number,
    docs: Int32Array,
    i: number,
    j: number,
    out: MultiOrdinals,
    starts: Int32Array,
    from: number,
  ): number {
    if (this.#directory.modes[w] === PRESENCE.none) {
      starts.fill(from, i, j);
      return from;
    }
    const windowStarts = this.#presence.starts(w);
    if (docs[j - 1]! - docs[i]! === WINDOW_DOCS - 1 && j - i === WINDOW_DOCS)
      return this.#readWholeWindow(w, i, out, starts, from, windowStarts);
    const target = reserveOrdinals(out, from + this.#directory.valueCounts[w]!);
    let at = from;
    let run = 0;
    let values = this.#run(w, 0);
    for (let k = i; k < j; k++) {
      starts[k] = at;
      const offset = docs[k]! & (WINDOW_DOCS - 1);
      for (let v = windowStarts[offset]!, end = windowStarts[offset + 1]!; v < end; v++) {
        if (v >>> 12 !== run) values = this.#run(w, (run = v >>> 12));
        target[at++] = values[v & (BLOCK_VALUES - 1)]!;
      }
    }
    return at;
  }

  #readWholeWindow(
    w: number,
    i: number,
    out: MultiOrdinals,
    starts: Int32Array,
    from: number,
    windowStarts: Int32Array,
  ): number {
    const count = this.#directory.valueCounts[w]!;
    const target = reserveOrdinals(out, from + count);
    for (let at = 0; at < count; at += BLOCK_VALUES)
      target.set(this.#run(w, at >>> 12).subarray(0, Math.min(BLOCK_VALUES, count - at)), from + at);
    for (let k = 0; k < WINDOW_DOCS; k++) starts[i + k] = from + windowStarts[k]!;
    return from + count;
  }
}
