import type { KeyRange } from '@shoal/doors';

/**
 * Prefixes of the keys of a shard store: `m` identity, `n` mark of a store that is made anew, `o` operations and batch
 * headers, `s` segment chunks, `x` deletes of a segment, `y` commit points, `z` files of a snapshot that are present.
 * Numbers are big-endian, so that new keys sort last: LevelDB then moves tables down without rewriting them. Keys that
 * are written together with operations sort after them, so that a table with both does not overlap older operations
 * (docs/adr/0006).
 */
const PREFIX = {
  identity: 0x6d,
  anew: 0x6e,
  operation: 0x6f,
  segment: 0x73,
  deletes: 0x78,
  commit: 0x79,
  present: 0x7a,
} as const;

/** Kinds of records whose key is a number. */
export type NumberedKey = 'commit' | 'operation';

/** Bytes of a numbered key. */
export const NUMBERED_KEY_BYTES = 9;

/** Writes the key of a numbered record at `at`: the prefix and the number in eight bytes. */
export function writeNumberedKey(into: Uint8Array, at: number, kind: NumberedKey, number: number): void {
  const high = Math.floor(number / 0x100000000);
  into[at] = PREFIX[kind];
  into[at + 1] = high >>> 24;
  into[at + 2] = high >>> 16;
  into[at + 3] = high >>> 8;
  into[at + 4] = high;
  into[at + 5] = number >>> 24;
  into[at + 6] = number >>> 16;
  into[at + 7] = number >>> 8;
  into[at + 8] = number;
}

/** Key of a numbered record. */
export function numberedKey(kind: NumberedKey, number: number): Uint8Array {
  const key = new Uint8Array(NUMBERED_KEY_BYTES);
  writeNumberedKey(key, 0, kind, number);
  return key;
}

/**
 * Keys of numbered records, all in one buffer. LevelDB's binding asks each key for its memory. V8 keeps a small array
 * on its heap, and moves it to memory of its own when it is asked: for 50,000 keys of records that are imported, the
 * garbage collector had more to do with them than everything else.
 */
export function numberedKeys(kind: NumberedKey, numbers: readonly number[]): Uint8Array[] {
  const bytes = new Uint8Array(numbers.length * NUMBERED_KEY_BYTES);
  return numbers.map((number, i) => {
    const at = i * NUMBERED_KEY_BYTES;
    writeNumberedKey(bytes, at, kind, number);
    return bytes.subarray(at, at + NUMBERED_KEY_BYTES);
  });
}

/** Number in a key of `numberedKey` or `batchKey`. */
export function numberOfKey(key: Uint8Array): number {
  const at = (i: number): number => ((key[i]! << 24) | (key[i + 1]! << 16) | (key[i + 2]! << 8) | key[i + 3]!) >>> 0;
  return at(1) * 0x100000000 + at(5);
}

const BATCH_KEY_BYTES = 17;

/**
 * Key of a batch header: the key of operation `position`, the first of the batch, followed by the number of the batch.
 * So it sorts directly after that operation.
 */
export function batchKey(position: number, batch: number): Uint8Array {
  const key = new Uint8Array(BATCH_KEY_BYTES);
  const view = new DataView(key.buffer);
  writeNumberedKey(key, 0, 'operation', position);
  view.setUint32(9, Math.floor(batch / 0x100000000));
  view.setUint32(13, batch >>> 0);
  return key;
}

/** Whether a key in the range of operations is that of a batch header. */
export const isBatchKey = (key: Uint8Array): boolean => key.length === BATCH_KEY_BYTES;

/** Number of the batch in a key of `batchKey`. */
export function batchOfKey(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return view.getUint32(9) * 0x100000000 + view.getUint32(13);
}

/** Keys of one kind with numbers from `from` on; for operations also the batch headers from there on. */
export function numberedRange(kind: NumberedKey, from: number): KeyRange {
  return { gte: numberedKey(kind, from), lt: Uint8Array.of(PREFIX[kind] + 1) };
}

/** Key of the identity. */
export const IDENTITY_KEY = Uint8Array.of(PREFIX.identity);
/** Key of the mark of a store that is being made anew: it is there from the loss of one identity to the next one. */
export const ANEW_KEY = Uint8Array.of(PREFIX.anew);
/** All keys of a store but the mark of its making anew. */
export const ALL_BUT_ANEW: readonly KeyRange[] = [
  { gte: Uint8Array.of(0), lt: ANEW_KEY },
  { gte: Uint8Array.of(PREFIX.anew + 1), lt: Uint8Array.of(0xff) },
];
/** All keys of a store. */
export const WHOLE_STORE: KeyRange = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };

function u32(number: number): number[] {
  return [(number >>> 24) & 0xff, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff];
}

/** Key of a chunk: `s`, segment number, part name, 0, chunk number. The chunks of a part are adjacent. */
export function chunkKey(segment: number, part: string, chunk: number): Uint8Array {
  const name = Buffer.from(part, 'utf8');
  return Uint8Array.from([PREFIX.segment, ...u32(segment), ...name, 0, ...u32(chunk)]);
}

/** Keys of deletes of segments and of commit points, which refer to all other data. */
export const COMMITTED: KeyRange = { gte: Uint8Array.of(PREFIX.deletes), lt: Uint8Array.of(PREFIX.commit + 1) };

/** Keys that tell which files of a snapshot are in the store of a mounted copy. */
export const PRESENT_FILES: KeyRange = { gte: Uint8Array.of(PREFIX.present), lt: Uint8Array.of(PREFIX.present + 1) };

/** Key that tells that a file of a snapshot, by its number, is in the store. */
export const presentFileKey = (file: number): Uint8Array => Uint8Array.from([PREFIX.present, ...u32(file)]);

/** Number of the file in a key of `presentFileKey`. */
export const presentFileOf = (key: Uint8Array): number => segmentOfKey(key);

/** Key of the manifest of a segment; sorts after its chunks. */
export const manifestKey = (segment: number): Uint8Array => Uint8Array.from([PREFIX.segment, ...u32(segment), 0xff]);

/** Keys of all data of a segment. */
export const segmentRange = (segment: number): KeyRange => ({
  gte: Uint8Array.from([PREFIX.segment, ...u32(segment)]),
  lt: Uint8Array.from([PREFIX.segment, ...u32(segment + 1)]),
});

/** Keys of all segments with numbers from `segment` on. */
export const segmentsFrom = (segment: number): KeyRange => ({
  gte: Uint8Array.from([PREFIX.segment, ...u32(segment)]),
  lt: Uint8Array.of(PREFIX.segment + 1),
});

/** Number of the segment in the key of a chunk or manifest. */
export function segmentOfKey(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(1);
}

/** Key of the deletes of a segment; each version of them has a higher generation. */
export const deletesKey = (segment: number, generation: number): Uint8Array =>
  Uint8Array.from([PREFIX.deletes, ...u32(segment), ...u32(generation)]);
