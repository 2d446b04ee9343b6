import { ByteReader, type ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { WINDOW_DOCS } from '../segment-reader.js';
import { BLOCK_VALUES } from '../values/number-block.kernel.js';

/**
 * Modes of a window of WINDOW_DOCS documents: no document has a value; every document has one; a list or a bitmap of
 * the documents that have one; the number of values of each document.
 */
export const PRESENCE = { none: 0, full: 1, list: 2, bitmap: 3, counts: 4 } as const;

/** Locations of the windows of a column; in memory while the column is in use. Arrays are by window. */
export interface WindowDirectory {
  readonly windows: number;
  /** One of PRESENCE. */
  readonly modes: Uint8Array;
  /** Number of documents that have values. */
  readonly rowCounts: Int32Array;
  readonly valueCounts: Int32Array;
  /** Address of the list, bitmap or counts of a window whose mode has them. */
  readonly presence: Float64Array;
  /** Index in `blocks` of the first block of a window. */
  readonly firstBlocks: Int32Array;
  /** Address of each block of values. */
  readonly blocks: Float64Array;
  /** Bounds of the values of a window; NaN if it has none. Only columns of numbers have bounds. */
  readonly mins: Float64Array;
  readonly maxs: Float64Array;
}

/** Directory entry of one window while the column is written. */
export interface WindowEntry {
  readonly mode: number;
  readonly rowCount: number;
  readonly valueCount: number;
  readonly presence: number;
  readonly blocks: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Number of documents in window `w` of a segment with `maxDoc` documents. */
export const windowSize = (w: number, maxDoc: number): number => Math.min(WINDOW_DOCS, maxDoc - w * WINDOW_DOCS);

/** Number of windows of a segment with `maxDoc` documents. */
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

/** Limit of the values of a window: a damaged count must not allocate more. */
const VALUES_MAX = 1 << 28;

/**
 * Reads a directory of `writeDirectory`. A run of values of the column has `planes` blocks. Throws
 * corrupt_index_exception.
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
