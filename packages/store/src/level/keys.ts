import type { KeyRange } from '@shoal/doors';

/**
 * Keys of a shard store, big-endian so that new ones sort last: LevelDB then moves tables down without rewriting them.
 * `m` identity, `o` operations and, among them, batch headers, `s` segment chunks, `x` deletes of a segment, `y` commit
 * points. What is written beside operations sorts behind them: a table that holds both reaches over no older operations
 * (docs/adr/0006).
 */
const PREFIX = { operation: 0x6f, segment: 0x73, deletes: 0x78, commit: 0x79, identity: 0x6d } as const;

export type NumberedKey = 'commit' | 'operation';

export const NUMBERED_KEY_BYTES = 9;

/** Writes the key of a numbered record at `at`: its prefix and the number in eight bytes. */
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

export function numberedKey(kind: NumberedKey, number: number): Uint8Array {
  const key = new Uint8Array(NUMBERED_KEY_BYTES);
  writeNumberedKey(key, 0, kind, number);
  return key;
}

/** The number in a key that `numberedKey` made. */
export function numberOfKey(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return view.getUint32(1) * 0x100000000 + view.getUint32(5);
}

const BATCH_KEY_BYTES = 17;

/**
 * Header of a batch: among the operations, behind the one numbered `position`, the batch's first. The number of the
 * batch follows.
 */
export function batchKey(position: number, batch: number): Uint8Array {
  const key = new Uint8Array(BATCH_KEY_BYTES);
  const view = new DataView(key.buffer);
  writeNumberedKey(key, 0, 'operation', position);
  view.setUint32(9, Math.floor(batch / 0x100000000));
  view.setUint32(13, batch >>> 0);
  return key;
}

/** Whether a key among the operations is that of a batch header. */
export const isBatchKey = (key: Uint8Array): boolean => key.length === BATCH_KEY_BYTES;

/** The number of the batch in a key that `batchKey` made. */
export function batchOfKey(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return view.getUint32(9) * 0x100000000 + view.getUint32(13);
}

/** Keys of one kind numbered from `from` on; among operations also the batch headers from there on. */
export function numberedRange(kind: NumberedKey, from: number): KeyRange {
  return { gte: numberedKey(kind, from), lt: Uint8Array.of(PREFIX[kind] + 1) };
}

export const IDENTITY_KEY = Uint8Array.of(PREFIX.identity);
export const WHOLE_STORE: KeyRange = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };

function u32(number: number): number[] {
  return [(number >>> 24) & 0xff, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff];
}

/** `s`, segment number, part name, 0, chunk number: the chunks of a part lie side by side. */
export function chunkKey(segment: number, part: string, chunk: number): Uint8Array {
  const name = Buffer.from(part, 'utf8');
  return Uint8Array.from([PREFIX.segment, ...u32(segment), ...name, 0, ...u32(chunk)]);
}

/** Commit points and deletes of segments: all that says what of the rest counts. */
export const COMMITTED: KeyRange = { gte: Uint8Array.of(PREFIX.deletes), lt: Uint8Array.of(PREFIX.commit + 1) };

/** Sorts behind the chunks of its segment. */
export const manifestKey = (segment: number): Uint8Array => Uint8Array.from([PREFIX.segment, ...u32(segment), 0xff]);

export const segmentRange = (segment: number): KeyRange => ({
  gte: Uint8Array.from([PREFIX.segment, ...u32(segment)]),
  lt: Uint8Array.from([PREFIX.segment, ...u32(segment + 1)]),
});

/** Keys of segments numbered from `segment` on. */
export const segmentsFrom = (segment: number): KeyRange => ({
  gte: Uint8Array.from([PREFIX.segment, ...u32(segment)]),
  lt: Uint8Array.of(PREFIX.segment + 1),
});

export function segmentOfKey(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(1);
}

/** Deletes of a segment as of a generation that grows with each version of them. */
export const deletesKey = (segment: number, generation: number): Uint8Array =>
  Uint8Array.from([PREFIX.deletes, ...u32(segment), ...u32(generation)]);
