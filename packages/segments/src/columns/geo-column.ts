import { CHUNK_BYTES_MAX, type GeoColumn, type MultiNumbers, WINDOW_DOCS } from '../segment-reader.js';
import { reserveNumbers, reserveStarts } from '../multi-values.js';
import type { PartReader } from '../storage/part-reader.js';
import { BLOCK_VALUES, decodeNumbers, loadNumberBlock, numberAt, numberBlock } from '../values/number-block.kernel.js';
import { type Axis, LAT, LON, toDegrees } from './geo-plane.js';
import type { CachedRuns } from './cached-runs.js';
import { endOfWindow } from './number-column.js';
import { PRESENCE, type WindowDirectory } from './window-directory.js';
import { DENSE_DOCS, WindowPresence } from './window-presence.js';
import type { ColumnSummary } from './window-writer.js';

/** Runs of values of one axis, decoded to degrees. */
class AxisRuns {
  readonly #directory: WindowDirectory;
  readonly #part: PartReader;
  readonly #axis: Axis;
  readonly #plane: number;
  readonly #scratch: Int32Array;
  readonly #block = numberBlock();
  #chunk: Uint8Array | null = null;
  #digits = 0;
  #scale = 0;
  #loaded = -1;
  readonly #kept: CachedRuns<Float64Array<ArrayBuffer>>;
  /** Buffer for decoded runs that the cache does not take. */
  #own: Float64Array<ArrayBuffer> | null = null;
  #decoded: Float64Array | null = null;
  #decodedBlock = -1;

  constructor(
    directory: WindowDirectory,
    part: PartReader,
    axis: Axis,
    plane: number,
    scratch: Int32Array,
    kept: CachedRuns<Float64Array<ArrayBuffer>>,
  ) {
    this.#directory = directory;
    this.#part = part;
    this.#axis = axis;
    this.#plane = plane;
    this.#scratch = scratch;
    this.#kept = kept;
  }

  at(w: number, index: number): number {
    if (this.#decodedBlock === this.#blockOf(w, index >>> 12)) return this.#decoded![index & (BLOCK_VALUES - 1)]!;
    this.#load(w, index >>> 12);
    return this.#degrees(numberAt(this.#chunk!, this.#block, index & (BLOCK_VALUES - 1)));
  }

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

  #decode(w: number, run: number, block: number): Float64Array {
    this.#load(w, run);
    const own = (this.#own ??= new Float64Array(BLOCK_VALUES));
    decodeNumbers(this.#chunk!, this.#block, own, 0, this.#scratch);
    toDegrees(this.#axis, this.#digits, own, this.#block.count);
    return this.#kept.keep(block, own, this.#block.count) ?? own;
  }

  #blockOf(w: number, run: number): number {
    return this.#directory.firstBlocks[w]! + 2 * run + this.#plane;
  }

  #degrees(raw: number): number {
    return this.#axis.degrees(this.#scale === 0 ? raw : this.#axis.quantise(raw / this.#scale));
  }

  #load(w: number, run: number): void {
    const block = this.#blockOf(w, run);
    if (this.#loaded === block) return;
    const address = this.#directory.blocks[block]!;
    const count = Math.min(BLOCK_VALUES, this.#directory.valueCounts[w]! - run * BLOCK_VALUES);
    this.#chunk = this.#part.chunk(address);
    const at = address % CHUNK_BYTES_MAX;
    this.#digits = this.#chunk[at]!;
    this.#scale = this.#digits === 0 ? 0 : 10 ** this.#digits;
    loadNumberBlock(this.#chunk, at + 1, count, this.#block);
    this.#loaded = block;
  }
}

/** A column of geo points of a sealed segment. */
export class SealedGeoColumn implements GeoColumn {
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued: boolean;
  readonly #directory: WindowDirectory;
  readonly #presence: WindowPresence;
  readonly #lats: AxisRuns;
  readonly #lons: AxisRuns;

  constructor(
    summary: ColumnSummary,
    directory: WindowDirectory,
    part: PartReader,
    maxDoc: number,
    scratch: Int32Array,
    kept: CachedRuns<Float64Array<ArrayBuffer>>,
  ) {
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.isSingleValued = summary.isSingleValued;
    this.#directory = directory;
    this.#presence = new WindowPresence(directory, part, maxDoc);
    this.#lats = new AxisRuns(directory, part, LAT, 0, scratch, kept);
    this.#lons = new AxisRuns(directory, part, LON, 1, scratch, kept);
  }

  nextDocWithField(target: number): number {
    return this.#presence.next(target);
  }

  read(docs: Int32Array, count: number, lats: Float64Array, lons: Float64Array): void {
    for (let i = 0; i < count; ) {
      const w = docs[i]! >>> 12;
      const j = endOfWindow(docs, i, count, w);
      const isFull = this.#directory.modes[w] === PRESENCE.full;
      if (isFull && (j - i >= DENSE_DOCS || (this.#lats.preferCached(w, j - i) && this.#lons.preferCached(w, j - i))))
        this.#readFull(w, docs, i, j, lats, lons);
      else this.#readFew(w, docs, i, j, lats, lons);
      i = j;
    }
  }

  readAll(docs: Int32Array, count: number, lats: MultiNumbers, lons: MultiNumbers): void {
    const starts = reserveStarts(lats, count);
    let at = 0;
    for (let i = 0; i < count; i++) {
      starts[i] = at;
      const w = docs[i]! >>> 12;
      if (!this.#presence.locate(w, docs[i]! & (WINDOW_DOCS - 1))) continue;
      const { from, to } = this.#presence;
      const latValues = reserveNumbers(lats, at + to - from);
      const lonValues = reserveNumbers(lons, at + to - from);
      for (let v = from; v < to; v++, at++) {
        latValues[at] = this.#lats.at(w, v);
        lonValues[at] = this.#lons.at(w, v);
      }
    }
    starts[count] = at;
    reserveStarts(lons, count).set(starts.subarray(0, count + 1));
  }

  #readFull(w: number, docs: Int32Array, i: number, j: number, lats: Float64Array, lons: Float64Array): void {
    const latValues = this.#lats.run(w, 0);
    const lonValues = this.#lons.run(w, 0);
    for (let k = i; k < j; k++) {
      const offset = docs[k]! & (WINDOW_DOCS - 1);
      lats[k] = latValues[offset]!;
      lons[k] = lonValues[offset]!;
    }
  }

  #readFew(w: number, docs: Int32Array, i: number, j: number, lats: Float64Array, lons: Float64Array): void {
    for (let k = i; k < j; k++) {
      const isThere = this.#presence.locate(w, docs[k]! & (WINDOW_DOCS - 1));
      lats[k] = isThere ? this.#lats.at(w, this.#presence.from) : Number.NaN;
      lons[k] = isThere ? this.#lons.at(w, this.#presence.from) : Number.NaN;
    }
  }
}
