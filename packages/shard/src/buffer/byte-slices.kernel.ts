/**
 * Append-only byte streams that grow in slices of pooled blocks (after Lucene's ByteBlockPool). Many short streams cost
 * few bytes each; a long stream grows by slices of 1 KiB. An address is a block number and an offset in the block. The
 * last four bytes of a full slice hold the address of the next one. Written bytes are never moved, so a snapshot's
 * readers need no copy.
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

/**
 * A stream is four words in an array: head (-1 while empty), write address, end of the slice, level of the slice. The
 * caller keeps the words in the record of the stream's owner, so that an append touches one or two cache lines.
 */
const AT = 1;
const END = 2;
const LEVEL = 3;

/** A read position in a stream. It may also read bytes that were written after it was made. */
export interface StreamReader {
  at: number;
  end: number;
  level: number;
}

/** Returns a pool without blocks. */
export function slicePool(): SlicePool {
  return { blocks: [], free: 0 };
}

/** Returns the memory of a pool in bytes. */
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

function startStream(pool: SlicePool, words: Int32Array, stream: number): void {
  const at = allocateSlice(pool, FIRST_SLICE_BYTES);
  words[stream] = at;
  words[stream + AT] = at;
  words[stream + END] = at + FIRST_SLICE_BYTES - LINK_BYTES;
  words[stream + LEVEL] = 0;
}

function extendStream(pool: SlicePool, words: Int32Array, stream: number): void {
  const link = words[stream + END]!;
  const level = Math.min(words[stream + LEVEL]! + 1, LEVEL_MAX);
  const bytes = FIRST_SLICE_BYTES << level;
  const at = allocateSlice(pool, bytes);
  const block = pool.blocks[link >>> BLOCK_BITS]!;
  const offset = link & (BLOCK_BYTES - 1);
  block[offset] = at;
  block[offset + 1] = at >>> 8;
  block[offset + 2] = at >>> 16;
  block[offset + 3] = at >>> 24;
  words[stream + AT] = at;
  words[stream + END] = at + bytes - LINK_BYTES;
  words[stream + LEVEL] = level;
}

function appendByte(pool: SlicePool, words: Int32Array, stream: number, byte: number): void {
  if (words[stream]! < 0) startStream(pool, words, stream);
  else if (words[stream + AT] === words[stream + END]) extendStream(pool, words, stream);
  const at = words[stream + AT]!;
  pool.blocks[at >>> BLOCK_BITS]![at & (BLOCK_BYTES - 1)] = byte;
  words[stream + AT] = at + 1;
}

/** Appends an unsigned 32-bit integer as LEB128 to the stream whose words start at `stream`. */
export function appendVarint(pool: SlicePool, words: Int32Array, stream: number, value: number): void {
  while (value >= 0x80 || value < 0) {
    appendByte(pool, words, stream, (value & 0x7f) | 0x80);
    value >>>= 7;
  }
  appendByte(pool, words, stream, value);
}

/** Moves a reader to the start of a stream. */
export function rewind(reader: StreamReader, words: Int32Array, stream: number): void {
  reader.at = words[stream]!;
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

/** Reads the next integer of a stream as int32. The caller must know how many there are. */
export function readVarint(pool: SlicePool, reader: StreamReader): number {
  const first = reader.at;
  if (first !== reader.end) {
    const byte = pool.blocks[first >>> BLOCK_BITS]![first & (BLOCK_BYTES - 1)]!;
    if (byte < 0x80) {
      reader.at = first + 1;
      return byte;
    }
  }
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    if (reader.at === reader.end) nextSlice(pool, reader);
    const at = reader.at++;
    const byte = pool.blocks[at >>> BLOCK_BITS]![at & (BLOCK_BYTES - 1)]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

/**
 * Reads `count` postings of a term store. Without frequencies a posting is its difference from the document before, the
 * first one from `last`. With frequencies the difference is doubled; plus one means frequency 1, else the frequency
 * follows. Returns the last document.
 */
export function readPostings(
  pool: SlicePool,
  reader: StreamReader,
  count: number,
  last: number,
  hasFreqs: boolean,
  docs: Int32Array,
  freqs: Int32Array,
): number {
  let doc = last;
  for (let i = 0; i < count; i++) {
    const code = readVarint(pool, reader);
    if (!hasFreqs) doc += code;
    else {
      doc += code >>> 1;
      freqs[i] = (code & 1) === 1 ? 1 : readVarint(pool, reader);
    }
    docs[i] = doc;
  }
  return doc;
}

/** Reads `count` differences; writes their running sums to `out`. */
export function readSums(pool: SlicePool, reader: StreamReader, count: number, out: Int32Array): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += readVarint(pool, reader);
    out[i] = sum;
  }
}

/** Reads `count` integers into `into`, from index `at` on. */
export function readSteps(pool: SlicePool, reader: StreamReader, count: number, into: Int32Array, at: number): void {
  for (let i = at, end = at + count; i < end; i++) into[i] = readVarint(pool, reader);
}
