import { ByteWriter, radixSort } from '@shoal/codec';
import type { WindowEntry } from '../columns/window-directory.js';
import type { SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import { DOC_BLOCK_BYTES_MAX, encodeDocBlock, POINT_BLOCK } from './doc-blocks.js';

/**
 * Kinds of range index: the bounds of the column's windows; sorted blocks of documents, whose values are in the column;
 * a k-d tree of geo points.
 */
export const POINTS_INDEX = { column: 1, blocks: 2, geo: 3 } as const;

/** The column itself is the index if a value is within the bounds of at most this many windows on average. */
const OVERLAP_MAX = 4;
/** Limit of the windows whose middle value is tried for the average. */
const PROBES_MAX = 256;
const INT64_MAX = 2n ** 63n - 1n;

/** Whether the bounds of a column's windows suffice as its range index: the column is small, or nearly sorted. */
export function isColumnAnIndex(entries: readonly WindowEntry[]): boolean {
  const windows = entries.filter((e) => e.valueCount > 0);
  if (windows.length <= OVERLAP_MAX) return true;
  const step = Math.max(1, Math.floor(windows.length / PROBES_MAX));
  let probes = 0;
  let overlaps = 0;
  for (let i = 0; i < windows.length; i += step) {
    const middle = (windows[i]!.min + windows[i]!.max) / 2;
    for (const w of windows) if (w.min <= middle && middle <= w.max) overlaps++;
    probes++;
  }
  return overlaps <= OVERLAP_MAX * probes;
}

/** Collects the values of a field with their documents, 12 bytes each, and writes them as sorted blocks. */
export class PointsWriter {
  #values: Float64Array<ArrayBuffer>;
  #docs: Int32Array<ArrayBuffer>;
  readonly #bigs = new Map<number, bigint>();
  /** Whether a value exceeds 2^63 - 1; then none is negative. */
  #isUnsigned = false;
  #count = 0;

  /** `count`: estimated number of values. */
  constructor(count: number) {
    const capacity = Math.max(16, count);
    this.#values = new Float64Array(capacity);
    this.#docs = new Int32Array(capacity);
  }

  /** Adds a value that is an integer beyond 2^53. */
  addBig(doc: number, value: bigint): void {
    if (value > INT64_MAX) this.#isUnsigned = true;
    this.#bigs.set(this.#count, value);
    this.add(doc, Number(value));
  }

  add(doc: number, value: number): void {
    if (this.#count === this.#docs.length) this.#grow();
    this.#values[this.#count] = value;
    this.#docs[this.#count++] = doc;
  }

  get count(): number {
    return this.#count;
  }

  /** Writes the sorted blocks; returns the location of their directory. */
  finish(output: SegmentOutput): StreamLocation {
    const order = this.#sort();
    const part = output.part('points');
    const directory = new ByteWriter();
    const out = new Uint8Array(DOC_BLOCK_BYTES_MAX);
    const histogram = new Int32Array(33);
    let address = 0;
    directory.varint(this.#count);
    for (let from = 0; from < this.#count; from += POINT_BLOCK) {
      const items = order.subarray(from, Math.min(from + POINT_BLOCK, this.#count));
      const min = this.#values[items[0]!]!;
      const max = this.#values[items[items.length - 1]!]!;
      const docs = items
        .slice()
        .sort()
        .map((i) => this.#docs[i]!);
      const next = part.append(out, 0, encodeDocBlock(docs, docs.length, out, 0, histogram));
      directory.varint(next - address);
      directory.f64(min);
      directory.f64(max);
      address = next;
    }
    return output.part('index').appendStream(directory.finish());
  }

  #grow(): void {
    const values = new Float64Array(this.#count * 2);
    const docs = new Int32Array(this.#count * 2);
    values.set(this.#values);
    docs.set(this.#docs);
    this.#values = values;
    this.#docs = docs;
  }

  /** Indexes of the pairs in order of their values, then of their documents. */
  #sort(): Int32Array {
    const count = this.#count;
    const words = new Int32Array(this.#values.buffer);
    const high = new Int32Array(count);
    const low = new Int32Array(count);
    const items = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const top = words[2 * i + 1]!;
      const bottom = words[2 * i]!;
      high[i] = top < 0 ? ~top : top ^ -0x80000000;
      low[i] = top < 0 ? ~bottom : bottom;
      items[i] = i;
    }
    if (this.#bigs.size > 0) this.#exactKeys(high, low);
    return radixSort(high, low, items, count);
  }

  #exactKeys(high: Int32Array, low: Int32Array): void {
    const flip = this.#isUnsigned ? 0 : -0x80000000;
    for (let i = 0; i < this.#count; i++) {
      const value = this.#exact(i);
      high[i] = Number(BigInt.asIntN(32, value >> 32n)) ^ flip;
      low[i] = Number(BigInt.asIntN(32, value));
    }
  }

  #exact(i: number): bigint {
    return this.#bigs.get(i) ?? BigInt(this.#values[i]!);
  }
}
