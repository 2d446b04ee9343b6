import { ByteReader } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { SealedNumberColumn } from '../columns/number-column.js';
import { PRESENCE, windowSize } from '../columns/window-directory.js';
import { multiNumbers } from '../multi-values.js';
import { type BitSet, CHUNK_BYTES_MAX, type PointsReader, WINDOW_DOCS } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { decodeDocBlock, POINT_BLOCK, setDocs } from './doc-blocks.js';

/** Inclusive bounds: doubles for pruning, and exact integers if values or bounds may exceed 2^53. */
interface Range {
  readonly low: number;
  readonly high: number;
  readonly exactLow: bigint | null;
  readonly exactHigh: bigint | null;
}

const numberRange = (low: number, high: number): Range => ({ low, high, exactLow: null, exactHigh: null });
const bigRange = (low: bigint, high: bigint): Range => ({
  low: Number(low),
  high: Number(high),
  exactLow: low,
  exactHigh: high,
});

/**
 * Whether the range contains [min, max] completely. If doubles may be rounded, equality with a bound does not suffice.
 */
function isInside(range: Range, min: number, max: number): boolean {
  return range.exactLow === null ? min >= range.low && max <= range.high : min > range.low && max < range.high;
}

const isOutside = (range: Range, min: number, max: number): boolean => max < range.low || min > range.high;

/** Sets all bits of [from, to). */
function setRange(into: BitSet, from: number, to: number): void {
  let doc = from;
  while (doc < to && (doc & 31) !== 0) into.set(doc++);
  const words = (to - doc) >>> 5;
  into.words.fill(-1, doc >>> 5, (doc >>> 5) + words);
  for (doc += words * 32; doc < to; doc++) into.set(doc);
}

/** Share (0-1) of [min, max] that is in the range, for estimates. */
function share(range: Range, min: number, max: number): number {
  if (isOutside(range, min, max)) return 0;
  if (max === min) return 1;
  return (Math.min(max, range.high) - Math.max(min, range.low)) / (max - min);
}

function hasBigInRange(column: SealedNumberColumn, doc: number, range: Range): boolean {
  return column.bigs(doc).some((v) => v >= range.exactLow! && v <= range.exactHigh!);
}

/** Sets the bits of those of the `count` documents that have a value in the range, as read from the column. */
function filterByColumn(column: SealedNumberColumn, docs: Int32Array, count: number, range: Range, into: BitSet): void {
  if (range.exactLow !== null) {
    for (let i = 0; i < count; i++) if (hasBigInRange(column, docs[i]!, range)) into.set(docs[i]!);
  } else if (column.isSingleValued) {
    const values = new Float64Array(count);
    column.read(docs, count, values);
    for (let i = 0; i < count; i++) if (values[i]! >= range.low && values[i]! <= range.high) into.set(docs[i]!);
  } else filterMulti(column, docs, count, range, into);
}

function filterMulti(column: SealedNumberColumn, docs: Int32Array, count: number, range: Range, into: BitSet): void {
  const all = multiNumbers();
  column.readAll(docs, count, all);
  for (let i = 0; i < count; i++) {
    for (let v = all.starts[i]!; v < all.starts[i + 1]!; v++)
      if (all.values[v]! >= range.low && all.values[v]! <= range.high) into.set(docs[i]!);
  }
}

/** Range index of a column that is nearly sorted: uses the bounds of its windows. */
export function columnPoints(column: SealedNumberColumn, maxDoc: number): PointsReader {
  const { directory } = column;
  const docs = new Int32Array(WINDOW_DOCS);
  const collectWindow = (w: number, range: Range, into: BitSet): void => {
    const size = windowSize(w, maxDoc);
    if (isInside(range, directory.mins[w]!, directory.maxs[w]!) && directory.modes[w] === PRESENCE.full) {
      setRange(into, w * WINDOW_DOCS, w * WINDOW_DOCS + size);
      return;
    }
    for (let i = 0; i < size; i++) docs[i] = w * WINDOW_DOCS + i;
    filterByColumn(column, docs, size, range, into);
  };
  const collect = (range: Range, into: BitSet): void => {
    for (let w = 0; w < directory.windows; w++) {
      if (directory.rowCounts[w] !== 0 && !isOutside(range, directory.mins[w]!, directory.maxs[w]!))
        collectWindow(w, range, into);
    }
  };
  return {
    estimate: (low, high) => {
      const range = numberRange(low, high);
      let sum = 0;
      for (let w = 0; w < directory.windows; w++)
        if (directory.rowCounts[w] !== 0)
          sum += share(range, directory.mins[w]!, directory.maxs[w]!) * directory.valueCounts[w]!;
      return Math.round(sum);
    },
    collect: (low, high, into) => collect(numberRange(low, high), into),
    collectBig: (low, high, into) => collect(bigRange(low, high), into),
  };
}

/** Directory of sorted blocks. */
interface PointBlocks {
  readonly valueCount: number;
  readonly addresses: Float64Array;
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
}

/** Reads the directory of sorted blocks. */
export function readPointBlocks(bytes: Uint8Array): PointBlocks {
  const input = new ByteReader(bytes);
  const valueCount = input.varint();
  const blocks = Math.ceil(valueCount / POINT_BLOCK);
  if (blocks > bytes.length) throw errors.corruption('more blocks of points than their directory has bytes');
  const result = {
    valueCount,
    addresses: new Float64Array(blocks),
    mins: new Float64Array(blocks),
    maxs: new Float64Array(blocks),
  };
  let address = 0;
  for (let b = 0; b < blocks; b++) {
    result.addresses[b] = address += input.varint();
    result.mins[b] = input.f64();
    result.maxs[b] = input.f64();
  }
  return result;
}

/** Range index of sorted blocks. If a block crosses a bound, its values are read from the column. */
export class BlockPoints implements PointsReader {
  readonly #blocks: PointBlocks;
  readonly #part: PartReader;
  readonly #column: SealedNumberColumn;
  readonly #maxDoc: number;
  readonly #docs = new Int32Array(POINT_BLOCK);

  constructor(blocks: PointBlocks, part: PartReader, column: SealedNumberColumn, maxDoc: number) {
    this.#blocks = blocks;
    this.#part = part;
    this.#column = column;
    this.#maxDoc = maxDoc;
  }

  estimate(low: number, high: number): number {
    const range = numberRange(low, high);
    const { mins, maxs, addresses } = this.#blocks;
    let sum = 0;
    for (let b = this.#firstBlock(low); b < addresses.length && mins[b]! <= high; b++)
      sum += share(range, mins[b]!, maxs[b]!) * this.#size(b);
    return Math.round(sum);
  }

  collect(low: number, high: number, into: BitSet): void {
    this.#collect(numberRange(low, high), into);
  }

  collectBig(low: bigint, high: bigint, into: BitSet): void {
    this.#collect(bigRange(low, high), into);
  }

  #size(b: number): number {
    return Math.min(POINT_BLOCK, this.#blocks.valueCount - b * POINT_BLOCK);
  }

  #firstBlock(low: number): number {
    const { maxs } = this.#blocks;
    let from = 0;
    let to = maxs.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (maxs[middle]! < low) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #collect(range: Range, into: BitSet): void {
    const { mins, maxs, addresses } = this.#blocks;
    for (let b = this.#firstBlock(range.low); b < addresses.length && mins[b]! <= range.high; b++) {
      const chunk = this.#part.chunk(addresses[b]!);
      const size = this.#size(b);
      decodeDocBlock(chunk, addresses[b]! % CHUNK_BYTES_MAX, size, this.#maxDoc, this.#docs);
      if (isInside(range, mins[b]!, maxs[b]!)) setDocs(this.#docs, size, into.words);
      else filterByColumn(this.#column, this.#docs, size, range, into);
    }
  }
}
