/**
 * Append-only byte streams that grow in slices of pooled blocks (Lucene's ByteBlockPool idea): many short streams cost few bytes each, a
 * long one ends up in slices of 1 KiB. An address is a block number and an offset in it; the last four bytes of a full slice hold the
 * address of the next one. What has been written is never moved, so readers of a snapshot need no copy.
 */

const BLOCK_BITS = 16;
const BLOCK_BYTES = 1 << BLOCK_BITS;
const FIRST_SLICE_BYTES = 8;
const LEVEL_MAX = 7;
const LINK_BYTES = 4;

/** Blocks that all streams of a buffer share. */
export interface SlicePool {
  readonly blocks: Uint8Array[];
  /** Next free address. */
  free: number;
}

/** Where each of many streams starts and is being written; index = stream. -1 in `head` for a stream without bytes. */
export interface ByteStreams {
  head: Int32Array;
  at: Int32Array;
  end: Int32Array;
  level: Uint8Array;
}

/** A read position in a stream; it may read what has been written, also later on. */
export interface StreamReader {
  at: number;
  end: number;
  level: number;
}

export function slicePool(): SlicePool {
  return { blocks: [], free: 0 };
}

export function poolBytes(pool: SlicePool): number {
  return pool.blocks.length * BLOCK_BYTES;
}

function allocateSlice(pool: SlicePool, bytes: number): number {
  const offset = pool.free & (BLOCK_BYTES - 1);
  if (offset === 0 || offset + bytes > BLOCK_BYTES) {
    pool.free = pool.blocks.length << BLOCK_BITS;
    pool.blocks.push(new Uint8Array(BLOCK_BYTES));
  }
  const at = pool.free;
  pool.free += bytes;
  return at;
}

function startStream(pool: SlicePool, streams: ByteStreams, id: number): void {
  const at = allocateSlice(pool, FIRST_SLICE_BYTES);
  streams.head[id] = at;
  streams.at[id] = at;
  streams.end[id] = at + FIRST_SLICE_BYTES - LINK_BYTES;
  streams.level[id] = 0;
}

function extendStream(pool: SlicePool, streams: ByteStreams, id: number): void {
  const link = streams.end[id]!;
  const level = Math.min(streams.level[id]! + 1, LEVEL_MAX);
  const bytes = FIRST_SLICE_BYTES << level;
  const at = allocateSlice(pool, bytes);
  const block = pool.blocks[link >>> BLOCK_BITS]!;
  const offset = link & (BLOCK_BYTES - 1);
  block[offset] = at;
  block[offset + 1] = at >>> 8;
  block[offset + 2] = at >>> 16;
  block[offset + 3] = at >>> 24;
  streams.at[id] = at;
  streams.end[id] = at + bytes - LINK_BYTES;
  streams.level[id] = level;
}

function appendByte(pool: SlicePool, streams: ByteStreams, id: number, byte: number): void {
  if (streams.head[id]! < 0) startStream(pool, streams, id);
  else if (streams.at[id] === streams.end[id]) extendStream(pool, streams, id);
  const at = streams.at[id]!;
  pool.blocks[at >>> BLOCK_BITS]![at & (BLOCK_BYTES - 1)] = byte;
  streams.at[id] = at + 1;
}

/** Appends an unsigned 32-bit integer as LEB128. */
export function appendVarint(pool: SlicePool, streams: ByteStreams, id: number, value: number): void {
  while (value >= 0x80 || value < 0) {
    appendByte(pool, streams, id, (value & 0x7f) | 0x80);
    value >>>= 7;
  }
  appendByte(pool, streams, id, value);
}

/** Goes to the start of a stream. */
export function rewind(reader: StreamReader, streams: ByteStreams, id: number): void {
  reader.at = streams.head[id]!;
  reader.end = reader.at + FIRST_SLICE_BYTES - LINK_BYTES;
  reader.level = 0;
}

function nextSlice(pool: SlicePool, reader: StreamReader): void {
  const block = pool.blocks[reader.end >>> BLOCK_BITS]!;
  const offset = reader.end & (BLOCK_BYTES - 1);
  reader.at = block[offset]! | (block[offset + 1]! << 8) | (block[offset + 2]! << 16) | (block[offset + 3]! << 24);
  reader.level = Math.min(reader.level + 1, LEVEL_MAX);
  reader.end = reader.at + (FIRST_SLICE_BYTES << reader.level) - LINK_BYTES;
}

/** Next integer of a stream, as int32; the caller knows how many there are. */
export function readVarint(pool: SlicePool, reader: StreamReader): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    if (reader.at === reader.end) nextSlice(pool, reader);
    const at = reader.at++;
    const byte = pool.blocks[at >>> BLOCK_BITS]![at & (BLOCK_BYTES - 1)]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}
