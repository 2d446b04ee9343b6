import { ByteWriter, radixSort } from '@shoal/codec';
import type { WindowEntry } from '../columns/window-directory.js';
import type { SegmentOutput, StreamLocation } from '../storage/part-writer.js';
import { DOC_BLOCK_BYTES_MAX, encodeDocBlock, POINT_BLOCK } from './doc-blocks.js';

/**
 * How ranges over a field are answered: by its column's windows, or by sorted blocks of documents, whose values the
 * column has.
 */
export const POINTS = { column: 1, blocks: 2, geo: 3 } as const;

/** Windows that one value lies within, on average, up to which the column itself serves as the index. */
const OVERLAP_MAX = 4;
const PROBES_MAX = 256;
const INT64_MAX = 2n ** 63n - 1n;

/** Whether the bounds of a column's windows find values well enough: the column is small, or nearly sorted. */
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

/** Values of a field with their documents, gathered to be sorted: 12 bytes a value. */
export class PointsWriter {
  #values: Float64Array<ArrayBuffer>;
  #docs: Int32Array<ArrayBuffer>;
  readonly #bigs = new Map<number, bigint>();
  /** Whether some value is beyond 2^63 - 1; then none is negative. */
  #isUnsigned = false;
  #count = 0;

  /** `count` is how many values will come, about. */
  constructor(count: number) {
    const capacity = Math.max(16, count);
    this.#values = new Float64Array(capacity);
    this.#docs = new Int32Array(capacity);
  }

  /** Adds an integer beyond 2^53. */
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

  /** Writes sorted blocks; returns where their directory is. */
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

  /** Numbers of the pairs, by value; pairs were added in order of documents. */
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
