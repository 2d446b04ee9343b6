import { CHUNK_BYTES_MAX, type MultiNumbers, type NumberColumn, WINDOW_DOCS } from '../segment-reader.js';
import { reserveNumbers, reserveStarts } from '../multi-values.js';
import type { CachedRuns } from './cached-runs.js';
import type { PartReader } from '../storage/part-reader.js';
import {
  BLOCK_VALUES,
  decodeNumbers,
  int64High,
  int64Low,
  loadNumberBlock,
  NUMBER_MODE,
  numberAt,
  numberBlock,
} from '../values/number-block.kernel.js';
import { PRESENCE, type WindowDirectory } from './window-directory.js';
import { DENSE_DOCS, WindowPresence } from './window-presence.js';
import type { ColumnSummary } from './window-writer.js';

/**
 * Reads the values of one plane of a column, run by run. A run is a block of up to BLOCK_VALUES values of one window.
 */
export class NumberRuns {
  readonly #directory: WindowDirectory;
  readonly #part: PartReader;
  readonly #plane: number;
  readonly #planes: number;
  readonly #block = numberBlock();
  readonly #scratch: Int32Array;
  readonly #kept: CachedRuns<Float64Array<ArrayBuffer>>;
  #chunk: Uint8Array | null = null;
  #loaded = -1;
  /** Buffer for decoded runs that the cache does not take. */
  #own: Float64Array<ArrayBuffer> | null = null;
  #decoded: Float64Array | null = null;
  #decodedBlock = -1;

  constructor(
    directory: WindowDirectory,
    part: PartReader,
    scratch: Int32Array,
    kept: CachedRuns<Float64Array<ArrayBuffer>>,
    plane = 0,
    planes = 1,
  ) {
    this.#directory = directory;
    this.#part = part;
    this.#scratch = scratch;
    this.#kept = kept;
    this.#plane = plane;
    this.#planes = planes;
  }

  /** Value `index` of window `w`, rounded to a double. */
  at(w: number, index: number): number {
    const run = Math.floor(index / BLOCK_VALUES);
    if (this.#decodedBlock === this.#blockOf(w, run)) return this.#decoded![index % BLOCK_VALUES]!;
    this.#load(w, run);
    return numberAt(this.#chunk!, this.#block, index % BLOCK_VALUES);
  }

  /** Exact value `index` of window `w`. */
  bigAt(w: number, index: number): bigint {
    this.#load(w, Math.floor(index / BLOCK_VALUES));
    const i = index % BLOCK_VALUES;
    const { mode } = this.#block;
    if (mode !== NUMBER_MODE.int64 && mode !== NUMBER_MODE.uint64)
      return BigInt(numberAt(this.#chunk!, this.#block, i));
    const high = int64High(this.#chunk!, this.#block, i);
    return (
      (BigInt(mode === NUMBER_MODE.int64 ? high : high >>> 0) << 32n) |
      BigInt(int64Low(this.#chunk!, this.#block, i) >>> 0)
    );
  }

  /** All values of run `run` of window `w`; valid until the next call. */
  run(w: number, run: number): Float64Array {
    const block = this.#blockOf(w, run);
    if (this.#decodedBlock !== block) {
      this.#decoded = this.#kept.find(block) ?? this.#decode(w, run, block);
      this.#decodedBlock = block;
    }
    return this.#decoded!;
  }

  /**
   * Decodes the first run of window `w`, of which `count` values will be read, if it is cached or worth caching.
   * Returns whether it is decoded now; if not, values are read one by one.
   */
  preferCached(w: number, count: number): boolean {
    const block = this.#blockOf(w, 0);
    if (this.#decodedBlock === block) return true;
    const kept =
      this.#kept.find(block) ?? (this.#kept.isWorthDecoding(block, count) ? this.#decode(w, 0, block) : null);
    if (kept === null) return false;
    this.#decoded = kept;
    this.#decodedBlock = block;
    return true;
  }

  #decode(w: number, run: number, block: number): Float64Array<ArrayBuffer> {
    this.#load(w, run);
    const own = (this.#own ??= new Float64Array(BLOCK_VALUES));
    decodeNumbers(this.#chunk!, this.#block, own, 0, this.#scratch);
    return this.#kept.keep(block, own, this.#block.count) ?? own;
  }

  #blockOf(w: number, run: number): number {
    return this.#directory.firstBlocks[w]! + run * this.#planes + this.#plane;
  }

  #load(w: number, run: number): number {
    const block = this.#blockOf(w, run);
    if (this.#loaded === block) return block;
    const address = this.#directory.blocks[block]!;
    const count = Math.min(BLOCK_VALUES, this.#directory.valueCounts[w]! - run * BLOCK_VALUES);
    this.#chunk = this.#part.chunk(address);
    loadNumberBlock(this.#chunk, address % CHUNK_BYTES_MAX, count, this.#block);
    this.#loaded = block;
    return block;
  }
}

/** Index after the last of the documents docs[i …] that are in window `w`, up to `count`. */
export function endOfWindow(docs: Int32Array, i: number, count: number, w: number): number {
  const limit = (w + 1) * WINDOW_DOCS;
  let j = i + 1;
  while (j < count && docs[j]! < limit) j++;
  return j;
}

/** A number column of a sealed segment. */
export class SealedNumberColumn implements NumberColumn {
  readonly kind: 'long' | 'double';
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued: boolean;
  readonly isExact: boolean;
  readonly min: number;
  readonly max: number;
  readonly directory: WindowDirectory;
  readonly #presence: WindowPresence;
  readonly #runs: NumberRuns;

  constructor(
    kind: 'long' | 'double',
    summary: ColumnSummary,
    directory: WindowDirectory,
    part: PartReader,
    maxDoc: number,
    scratch: Int32Array,
    kept: CachedRuns<Float64Array<ArrayBuffer>>,
  ) {
    this.kind = kind;
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.isSingleValued = summary.isSingleValued;
    this.isExact = summary.isExact;
    this.min = summary.min;
    this.max = summary.max;
    this.directory = directory;
    this.#presence = new WindowPresence(directory, part, maxDoc);
    this.#runs = new NumberRuns(directory, part, scratch, kept);
  }

  nextDocWithField(target: number): number {
    return this.#presence.next(target);
  }

  blockBounds(doc: number): { readonly min: number; readonly max: number } | null {
    const w = Math.floor(doc / WINDOW_DOCS);
    if (this.directory.rowCounts[w] === 0) return null;
    return { min: this.directory.mins[w]!, max: this.directory.maxs[w]! };
  }

  read(docs: Int32Array, count: number, out: Float64Array): void {
    for (let i = 0; i < count; ) {
      const w = docs[i]! >>> 12;
      const j = endOfWindow(docs, i, count, w);
      if (this.directory.modes[w] === PRESENCE.none) out.fill(Number.NaN, i, j);
      else if (j - i < DENSE_DOCS) this.#readFew(w, docs, i, j, out);
      else if (this.directory.modes[w] === PRESENCE.full) this.#readFull(w, docs, i, j, out);
      else this.#readMany(w, docs, i, j, out);
      i = j;
    }
  }

  readRange(from: number, to: number, out: Float64Array): void {
    for (let doc = from; doc < to; ) {
      const w = doc >>> 12;
      const end = Math.min(to, (w + 1) * WINDOW_DOCS);
      this.#readWindowRange(w, doc - w * WINDOW_DOCS, end - w * WINDOW_DOCS, out, doc - from);
      doc = end;
    }
  }

  readPresent(from: number, to: number, docs: Int32Array, out: Float64Array): number {
    const w = from >>> 12;
    const base = w * WINDOW_DOCS;
    const found = this.#presence.offsets(w, docs);
    if (found === 0) return 0;
    const starts = this.directory.modes[w] === PRESENCE.counts ? this.#presence.starts(w) : null;
    let run = 0;
    let values = this.#runs.run(w, 0);
    let count = 0;
    for (let i = 0; i < found; i++) {
      const doc = base + docs[i]!;
      if (doc < from || doc >= to) continue;
      const v = starts === null ? i : starts[docs[i]!]!;
      if (v >>> 12 !== run) values = this.#runs.run(w, (run = v >>> 12));
      docs[count] = doc;
      out[count++] = values[v & (BLOCK_VALUES - 1)]!;
    }
    return count;
  }

  readAll(docs: Int32Array, count: number, out: MultiNumbers): void {
    const starts = reserveStarts(out, count);
    let at = 0;
    for (let i = 0; i < count; ) {
      const w = docs[i]! >>> 12;
      const j = endOfWindow(docs, i, count, w);
      at = this.#readAllOfWindow(w, docs, i, j, out, starts, at);
      i = j;
    }
    starts[count] = at;
  }

  bigs(doc: number): readonly bigint[] {
    const w = doc >>> 12;
    const result: bigint[] = [];
    if (!this.#presence.locate(w, doc & (WINDOW_DOCS - 1))) return result;
    for (let v = this.#presence.from; v < this.#presence.to; v++) result.push(this.#runs.bigAt(w, v));
    return result;
  }

  #readFew(w: number, docs: Int32Array, i: number, j: number, out: Float64Array): void {
    if (this.#runs.preferCached(w, j - i) && this.directory.modes[w] === PRESENCE.full)
      return this.#readFull(w, docs, i, j, out);
    const base = w * WINDOW_DOCS;
    for (let k = i; k < j; k++) {
      out[k] = this.#presence.locate(w, docs[k]! - base) ? this.#runs.at(w, this.#presence.from) : Number.NaN;
    }
  }

  #readFull(w: number, docs: Int32Array, i: number, j: number, out: Float64Array): void {
    const values = this.#runs.run(w, 0);
    for (let k = i; k < j; k++) out[k] = values[docs[k]! & (WINDOW_DOCS - 1)]!;
  }

  #readMany(w: number, docs: Int32Array, i: number, j: number, out: Float64Array): void {
    const starts = this.#presence.starts(w);
    let run = 0;
    let values = this.#runs.run(w, 0);
    for (let k = i; k < j; k++) {
      const offset = docs[k]! & (WINDOW_DOCS - 1);
      const v = starts[offset]!;
      if (v >>> 12 !== run && starts[offset + 1] !== v) values = this.#runs.run(w, (run = v >>> 12));
      out[k] = starts[offset + 1] === v ? Number.NaN : values[v & (BLOCK_VALUES - 1)]!;
    }
  }

  #readWindowRange(w: number, from: number, to: number, out: Float64Array, outAt: number): void {
    const mode = this.directory.modes[w];
    if (mode === PRESENCE.none) out.fill(Number.NaN, outAt, outAt + to - from);
    else if (mode === PRESENCE.full) out.set(this.#runs.run(w, 0).subarray(from, to), outAt);
    else this.#readSparseRange(w, from, to, out, outAt);
  }

  #readSparseRange(w: number, from: number, to: number, out: Float64Array, outAt: number): void {
    const starts = this.#presence.starts(w);
    let run = 0;
    let values = this.#runs.run(w, 0);
    for (let i = from; i < to; i++) {
      const v = starts[i]!;
      if (starts[i + 1] === v) {
        out[outAt + i - from] = Number.NaN;
        continue;
      }
      if (v >>> 12 !== run) values = this.#runs.run(w, (run = v >>> 12));
      out[outAt + i - from] = values[v & (BLOCK_VALUES - 1)]!;
    }
  }

  #readAllOfWindow(
    w: number,
    docs: Int32Array,
    i: number,
    j: number,
    out: MultiNumbers,
    starts: Int32Array,
    from: number,
  ): number {
    if (this.directory.modes[w] === PRESENCE.none) {
      starts.fill(from, i, j);
      return from;
    }
    return j - i < DENSE_DOCS
      ? this.#readFewAll(w, docs, i, j, out, starts, from)
      : this.#readManyAll(w, docs, i, j, out, starts, from);
  }

  #readFewAll(
    w: number,
    docs: Int32Array,
    i: number,
    j: number,
    out: MultiNumbers,
    starts: Int32Array,
    from: number,
  ): number {
    let at = from;
    for (let k = i; k < j; k++) {
      starts[k] = at;
      if (!this.#presence.locate(w, docs[k]! & (WINDOW_DOCS - 1))) continue;
      const { from: first, to: end } = this.#presence;
      const values = reserveNumbers(out, at + end - first);
      for (let v = first; v < end; v++) values[at++] = this.#runs.at(w, v);
    }
    return at;
  }

  #readManyAll(
    w: number,
    docs: Int32Array,
    i: number,
    j: number,
    out: MultiNumbers,
    starts: Int32Array,
    from: number,
  ): number {
    const windowStarts = this.#presence.starts(w);
    if (docs[j - 1]! - docs[i]! === WINDOW_DOCS - 1 && j - i === WINDOW_DOCS)
      return this.#readWholeWindow(w, i, out, starts, from, windowStarts);
    const target = reserveNumbers(out, from + this.directory.valueCounts[w]!);
    let at = from;
    let run = 0;
    let values = this.#runs.run(w, 0);
    for (let k = i; k < j; k++) {
      starts[k] = at;
      const offset = docs[k]! & (WINDOW_DOCS - 1);
      for (let v = windowStarts[offset]!, end = windowStarts[offset + 1]!; v < end; v++) {
        if (v >>> 12 !== run) values = this.#runs.run(w, (run = v >>> 12));
        target[at++] = values[v & (BLOCK_VALUES - 1)]!;
      }
    }
    return at;
  }

  #readWholeWindow(
    w: number,
    i: number,
    out: MultiNumbers,
    starts: Int32Array,
    from: number,
    windowStarts: Int32Array,
  ): number {
    const count = this.directory.valueCounts[w]!;
    const target = reserveNumbers(out, from + count);
    for (let at = 0; at < count; at += BLOCK_VALUES)
      target.set(this.#runs.run(w, at >>> 12).subarray(0, Math.min(BLOCK_VALUES, count - at)), from + at);
    for (let k = 0; k < WINDOW_DOCS; k++) starts[i + k] = from + windowStarts[k]!;
    return from + count;
  }
}
