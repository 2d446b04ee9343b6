import { ByteReader, type ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { WINDOW_DOCS } from '../segment-reader.js';
import { BLOCK_VALUES } from '../values/number-block.kernel.js';

/**
 * How a window of WINDOW_DOCS documents says which of them have values: none, each one, a list or bitmap of those with
 * one, counts.
 */
export const PRESENCE = { none: 0, full: 1, list: 2, bitmap: 3, counts: 4 } as const;

/** Where the windows of a column are, held in memory while the column is in use. */
export interface WindowDirectory {
  readonly windows: number;
  readonly modes: Uint8Array;
  readonly rowCounts: Int32Array;
  readonly valueCounts: Int32Array;
  readonly presence: Float64Array;
  /** Index in `blocks` of a window's first block. */
  readonly firstBlocks: Int32Array;
  readonly blocks: Float64Array;
  /** Bounds of the window's values; NaN for none. Only columns of numbers have them. */
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
}

/** One window as the writer notes it. */
export interface WindowEntry {
  readonly mode: number;
  readonly rowCount: number;
  readonly valueCount: number;
  readonly presence: number;
  readonly blocks: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Documents in window `w` of a segment of `maxDoc`. */
export const windowSize = (w: number, maxDoc: number): number => Math.min(WINDOW_DOCS, maxDoc - w * WINDOW_DOCS);

export const windowCount = (maxDoc: number): number => Math.ceil(maxDoc / WINDOW_DOCS);

/** Writes the directory: addresses as differences, counts only where the mode does not imply them. */
export function writeDirectory(entries: readonly WindowEntry[], hasBounds: boolean, out: ByteWriter): void {
  let address = 0;
  const writeAddress = (next: number): void => {
    out.varint(next - address);
    address = next;
  };
  for (const entry of entries) {
    out.u8(entry.mode);
    if (entry.mode === PRESENCE.none) continue;
    if (entry.mode !== PRESENCE.full) {
      out.varint(entry.rowCount);
      if (entry.mode === PRESENCE.counts) out.varint(entry.valueCount);
      writeAddress(entry.presence);
    }
    for (const block of entry.blocks) writeAddress(block);
    if (!hasBounds) continue;
    out.f64(entry.min);
    out.f64(entry.max);
  }
}

/** Most values of one document in a window, on average: bounds what a damaged count can ask for. */
const VALUES_MAX = 1 << 28;

/**
 * Reads what `writeDirectory` wrote for a column of `planes` blocks a run of values. Throws corrupt_index_exception.
 */
export function readDirectory(bytes: Uint8Array, maxDoc: number, planes: number, hasBounds: boolean): WindowDirectory {
  const input = new ByteReader(bytes);
  const windows = windowCount(maxDoc);
  const directory = {
    windows,
    modes: new Uint8Array(windows),
    rowCounts: new Int32Array(windows),
    valueCounts: new Int32Array(windows),
    presence: new Float64Array(windows),
    firstBlocks: new Int32Array(windows),
    mins: new Float64Array(hasBounds ? windows : 0).fill(Number.NaN),
    maxs: new Float64Array(hasBounds ? windows : 0).fill(Number.NaN),
  };
  const blocks: number[] = [];
  let address = 0;
  for (let w = 0; w < windows; w++) {
    const mode = input.u8();
    directory.modes[w] = mode;
    directory.firstBlocks[w] = blocks.length;
    if (mode === PRESENCE.none) continue;
    const rows = mode === PRESENCE.full ? windowSize(w, maxDoc) : input.varint();
    const values = mode === PRESENCE.counts ? input.varint() : rows;
    if (mode > PRESENCE.counts || rows > WINDOW_DOCS || values > VALUES_MAX)
      throw errors.corruption(`column window ${w} has no such form`);
    directory.rowCounts[w] = rows;
    directory.valueCounts[w] = values;
    if (mode !== PRESENCE.full) directory.presence[w] = address += input.varint();
    for (let b = planes * Math.ceil(values / BLOCK_VALUES); b > 0; b--) blocks.push((address += input.varint()));
    if (!hasBounds) continue;
    directory.mins[w] = input.f64();
    directory.maxs[w] = input.f64();
  }
  return { ...directory, blocks: Float64Array.from(blocks) };
}
