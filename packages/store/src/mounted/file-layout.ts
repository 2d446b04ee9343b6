import { chunkKey, NUMBERED_KEY_BYTES, numberedKey, numberOfKey, segmentOfKey } from '../level/keys.js';

/** A segment whose chunks are in files, in the order of its parts. */
export interface MountedSegment {
  readonly segment: number;
  readonly parts: readonly { readonly name: string; readonly chunkCount: number }[];
  readonly files: readonly { readonly name: string; readonly chunks: number }[];
}

/** A file with the records of the operations `from` … `to`, inclusive, as far as the log still had them. */
export interface MountedRange {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

interface SegmentPlace {
  /** Number of the first chunk of each part, counted over all parts. */
  readonly starts: ReadonlyMap<string, number>;
  readonly parts: MountedSegment['parts'];
  /** Numbers of the files, and for each the number of the first chunk behind it. */
  readonly files: readonly number[];
  readonly ends: readonly number[];
}

/** Position of the first of ascending numbers that is greater than `value`; their count if there is none. */
function firstAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

const CHUNK_NUMBER_BYTES = 4;
const CHUNK_PREFIX_BYTES = 5;
const SEGMENT_PREFIX = 0x73;
const OPERATION_PREFIX = 0x6f;

/** Part and number of a chunk by its key; null for the key of a manifest. */
function chunkOfKey(key: Uint8Array): { readonly part: string; readonly chunk: number } | null {
  const nameEnd = key.length - CHUNK_NUMBER_BYTES - 1;
  if (nameEnd <= CHUNK_PREFIX_BYTES) return null;
  const part = Buffer.from(key.buffer, key.byteOffset + CHUNK_PREFIX_BYTES, nameEnd - CHUNK_PREFIX_BYTES);
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return { part: part.toString('utf8'), chunk: view.getUint32(nameEnd + 1) };
}

/**
 * In which file of a snapshot each chunk and each record of a mounted store is. A file is named by its number: first
 * those of the segments, then those of the operations, each once.
 */
export class FileLayout {
  readonly names: readonly string[];
  readonly #segments = new Map<number, SegmentPlace>();
  readonly #ranges: readonly MountedRange[];
  readonly #rangeEnds: readonly number[];
  readonly #firstRange: number;
  readonly #owners: { readonly segment: number; readonly position: number }[] = [];

  constructor(segments: readonly MountedSegment[], ranges: readonly MountedRange[]) {
    const names: string[] = [];
    for (const { segment, parts, files } of segments) {
      const starts = new Map<string, number>();
      let count = 0;
      for (const { name, chunkCount } of parts) {
        starts.set(name, count);
        count += chunkCount;
      }
      let end = 0;
      const ends = files.map(({ chunks }) => (end += chunks));
      const numbers = files.map(({ name }, position) => {
        this.#owners.push({ segment, position });
        return names.push(name) - 1;
      });
      this.#segments.set(segment, { starts, parts, files: numbers, ends });
    }
    this.#firstRange = names.length;
    this.#ranges = ranges;
    this.#rangeEnds = ranges.map(({ to }) => to);
    for (const { name } of ranges) names.push(name);
    this.names = names;
  }

  /** Number of the file with the value of a key; -1 if the value is in none. */
  fileOf(key: Uint8Array): number {
    if (key[0] === SEGMENT_PREFIX) return this.#fileOfChunk(key);
    if (key[0] === OPERATION_PREFIX && key.length === NUMBERED_KEY_BYTES) return this.#fileOfOperation(key);
    return -1;
  }

  #fileOfChunk(key: Uint8Array): number {
    const place = this.#segments.get(segmentOfKey(key));
    const found = chunkOfKey(key);
    if (!place || !found) return -1;
    const start = place.starts.get(found.part);
    if (start === undefined) return -1;
    return place.files[firstAbove(place.ends, start + found.chunk)] ?? -1;
  }

  #fileOfOperation(key: Uint8Array): number {
    const seqNo = numberOfKey(key);
    const position = firstAbove(this.#rangeEnds, seqNo - 1);
    const range = this.#ranges[position];
    return range && range.from <= seqNo ? this.#firstRange + position : -1;
  }

  /** Numbers of at most `count` files of the same segment that follow a file. */
  following(file: number, count: number): readonly number[] {
    const owner = this.#owners[file];
    if (!owner) return [];
    return this.#segments.get(owner.segment)!.files.slice(owner.position + 1, owner.position + 1 + count);
  }

  /** Whether a file has operations; others have chunks. */
  hasOperations(file: number): boolean {
    return file >= this.#firstRange;
  }

  /** Keys of the chunks in a file, in its order. */
  chunkKeys(file: number): Uint8Array[] {
    const { segment, position } = this.#owners[file]!;
    const { parts, ends } = this.#segments.get(segment)!;
    const [from, to] = [ends[position - 1] ?? 0, ends[position]!];
    const keys: Uint8Array[] = [];
    let start = 0;
    for (const { name, chunkCount } of parts) {
      const last = Math.min(to, start + chunkCount);
      for (let i = Math.max(from, start); i < last; i++) keys.push(chunkKey(segment, name, i - start));
      start += chunkCount;
    }
    return keys;
  }

  /** Keys of all operations that a file may have. */
  operationKeys(file: number): Uint8Array[] {
    const { from, to } = this.#ranges[file - this.#firstRange]!;
    return Array.from({ length: to - from + 1 }, (_, i) => numberedKey('operation', from + i));
  }
}
