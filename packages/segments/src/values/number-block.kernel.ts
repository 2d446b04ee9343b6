import { packBits, packedAt, packedBytes, unpackBits } from '@shoal/codec';
import { errors } from '@shoal/errors';

/*
 * A number block has up to BLOCK_VALUES numbers. In a packed block value i is `(min + step * (floor(slope * i) + u)) /
 * 10^decimals`, where `u` is a packed unsigned integer or, with a table, the packed index of one of the distinct
 * values. Other blocks are raw. Decoding is exact: every intermediate result is an integer below 2^53.
 */

/** Limit of the values of one block. */
export const BLOCK_VALUES = 4096;

/**
 * Modes of a block. `uint64` has the bits of `int64`, read as 0 … 2^64 - 1, if a value of the block exceeds 2^63 - 1.
 */
export const NUMBER_MODE = { packed: 0, int64: 1, float32: 2, float64: 3, uint64: 4 } as const;

/** Flags in the first byte of a block, which also has the mode: the parts that follow. */
export const NUMBER_FLAG = { step: 0x08, slope: 0x10, decimals: 0x20, table: 0x40 } as const;

const MODE_MASK = 0x07;

/** Decoded header of a block. One object is reused for many blocks. */
export interface NumberBlock {
  mode: number;
  width: number;
  min: number;
  step: number;
  slope: number;
  /** 10^decimals. */
  scale: number;
  hasTable: boolean;
  /** Distinct values, valid if `hasTable`. */
  table: Int32Array;
  /** Offset of the packed or raw values in the chunk. */
  at: number;
  count: number;
  readonly words: Float64Array;
  readonly bytes: Uint8Array;
}

const NO_TABLE = new Int32Array(0);
const TABLE_SIZE = 256;

/** An empty header, to be filled by `loadNumberBlock`. */
export function numberBlock(): NumberBlock {
  const words = new Float64Array(1);
  return {
    mode: 0,
    width: 0,
    min: 0,
    step: 1,
    slope: 0,
    scale: 1,
    hasTable: false,
    table: NO_TABLE,
    at: 0,
    count: 0,
    words,
    bytes: new Uint8Array(words.buffer),
  };
}

function readFloat64(chunk: Uint8Array, at: number, block: NumberBlock): number {
  for (let i = 0; i < 8; i++) block.bytes[i] = chunk[at + i]!;
  return block.words[0]!;
}

function loadTable(chunk: Uint8Array, at: number, block: NumberBlock): number {
  const size = chunk[at]! + 1;
  const width = Math.min(chunk[at + 1]!, 32);
  if (block.table.length === 0) block.table = new Int32Array(TABLE_SIZE);
  unpackBits(chunk, at + 2, width, size, block.table, 0);
  return at + 2 + packedBytes(size, width);
}

function loadPackedHeader(chunk: Uint8Array, start: number, flags: number, block: NumberBlock): void {
  let at = start;
  block.width = chunk[at++]!;
  block.min = readFloat64(chunk, at, block);
  at += 8;
  block.step = 1;
  block.slope = 0;
  block.scale = 1;
  if ((flags & NUMBER_FLAG.step) !== 0) {
    block.step = readFloat64(chunk, at, block);
    at += 8;
  }
  if ((flags & NUMBER_FLAG.slope) !== 0) {
    block.slope = readFloat64(chunk, at, block);
    at += 8;
  }
  if ((flags & NUMBER_FLAG.decimals) !== 0) block.scale = 10 ** chunk[at++]!;
  block.hasTable = (flags & NUMBER_FLAG.table) !== 0;
  block.at = block.hasTable ? loadTable(chunk, at, block) : at;
}

const RAW_WIDTH = [0, 64, 32, 64, 64];

/**
 * Reads the header of the block of `count` values at `at` into `block`. Throws corrupt_index_exception if the block
 * exceeds the chunk.
 */
export function loadNumberBlock(chunk: Uint8Array, at: number, count: number, block: NumberBlock): void {
  const flags = chunk[at]!;
  block.mode = flags & MODE_MASK;
  block.count = count;
  if (block.mode === NUMBER_MODE.packed) loadPackedHeader(chunk, at + 1, flags, block);
  else {
    block.at = at + 1;
    block.width = RAW_WIDTH[block.mode] ?? 255;
  }
  if (block.width > 64 || !(block.at + packedBytes(count, block.width) <= chunk.length))
    throw errors.corruption(`number block at ${at} runs over the end of its chunk`);
}

/** Unsigned packed integer i, looked up in the table if there is one. */
function rawAt(chunk: Uint8Array, block: NumberBlock, i: number): number {
  const { width } = block;
  if (width <= 32) {
    const u = packedAt(chunk, block.at, width, i);
    return block.hasTable ? block.table[u & 255]! >>> 0 : u >>> 0;
  }
  const high = packedAt(chunk, block.at + 4 * block.count, width - 32, i) >>> 0;
  return high * 4294967296 + (packedAt(chunk, block.at, 32, i) >>> 0);
}

function float32At(chunk: Uint8Array, block: NumberBlock, i: number): number {
  const at = block.at + 4 * i;
  const bits = chunk[at]! | (chunk[at + 1]! << 8) | (chunk[at + 2]! << 16) | (chunk[at + 3]! << 24);
  const exponent = (bits >>> 23) & 255;
  const mantissa = bits & 0x7fffff;
  const magnitude = exponent === 0 ? mantissa * 2 ** -149 : (mantissa | 0x800000) * 2 ** (exponent - 150);
  return bits < 0 ? -magnitude : magnitude;
}

/** Lower half of value i of an 'int64' or 'uint64' block, as int32. */
export const int64Low = (chunk: Uint8Array, block: NumberBlock, i: number): number => packedAt(chunk, block.at, 32, i);
/** Upper half of value i of an 'int64' or 'uint64' block, as int32. */
export const int64High = (chunk: Uint8Array, block: NumberBlock, i: number): number =>
  packedAt(chunk, block.at + 4 * block.count, 32, i);

/** Value i of a loaded block as a double; integers beyond 2^53 are rounded. */
export function numberAt(chunk: Uint8Array, block: NumberBlock, i: number): number {
  switch (block.mode) {
    case NUMBER_MODE.packed: {
      const trend = block.slope === 0 ? 0 : Math.floor(block.slope * i);
      const scaled = block.min + block.step * (trend + rawAt(chunk, block, i));
      return block.scale === 1 ? scaled : scaled / block.scale;
    }
    case NUMBER_MODE.int64:
      return int64High(chunk, block, i) * 4294967296 + (int64Low(chunk, block, i) >>> 0);
    case NUMBER_MODE.float32:
      return float32At(chunk, block, i);
    case NUMBER_MODE.uint64:
      return (int64High(chunk, block, i) >>> 0) * 4294967296 + (int64Low(chunk, block, i) >>> 0);
    default:
      return readFloat64(chunk, block.at + 8 * i, block);
  }
}

function unpackRaw(chunk: Uint8Array, block: NumberBlock, scratch: Int32Array): void {
  unpackBits(chunk, block.at, block.width, block.count, scratch, 0);
  if (!block.hasTable) return;
  const { table, count } = block;
  for (let i = 0; i < count; i++) scratch[i] = table[scratch[i]! & 255]!;
}

function applyTransform(block: NumberBlock, scratch: Int32Array, out: Float64Array, outAt: number): void {
  const { min, step, slope, scale, count } = block;
  if (slope === 0 && step === 1 && scale === 1) {
    for (let i = 0; i < count; i++) out[outAt + i] = min + (scratch[i]! >>> 0);
  } else if (slope === 0 && scale === 1) {
    for (let i = 0; i < count; i++) out[outAt + i] = min + step * (scratch[i]! >>> 0);
  } else {
    for (let i = 0; i < count; i++)
      out[outAt + i] = (min + step * (Math.floor(slope * i) + (scratch[i]! >>> 0))) / scale;
  }
}

/** Decodes all values of a loaded block to `out` from `outAt` on. `scratch` has room for BLOCK_VALUES integers. */
export function decodeNumbers(
  chunk: Uint8Array,
  block: NumberBlock,
  out: Float64Array,
  outAt: number,
  scratch: Int32Array,
): void {
  if (block.mode === NUMBER_MODE.packed && block.width === 0 && block.slope === 0 && !block.hasTable) {
    out.fill(block.min / block.scale, outAt, outAt + block.count);
  } else if (block.mode === NUMBER_MODE.packed && block.width <= 32) {
    unpackRaw(chunk, block, scratch);
    applyTransform(block, scratch, out, outAt);
  } else if (block.mode === NUMBER_MODE.float64) {
    for (let i = 0; i < block.count; i++) out[outAt + i] = readFloat64(chunk, block.at + 8 * i, block);
  } else {
    for (let i = 0; i < block.count; i++) out[outAt + i] = numberAt(chunk, block, i);
  }
}

/** Decodes all values of a loaded block of int32 numbers (ordinals, norms, counts) to `out` from `outAt` on. */
export function decodeInts(chunk: Uint8Array, block: NumberBlock, out: Int32Array, outAt: number): void {
  const { min, step, slope, count, width, mode } = block;
  if (mode !== NUMBER_MODE.packed || width > 32) throw errors.corruption('block of integers has another form');
  if (outAt === 0) unpackRaw(chunk, block, out);
  else for (let i = 0; i < count; i++) out[outAt + i] = rawAt(chunk, block, i);
  if (min === 0 && step === 1 && slope === 0) return;
  if (slope === 0) for (let i = outAt, end = outAt + count; i < end; i++) out[i] = min + step * out[i]!;
  else for (let i = 0; i < count; i++) out[outAt + i] = min + step * (Math.floor(slope * i) + out[outAt + i]!);
}

/** Writes a 64-bit float; returns the offset after it. `block` only lends its buffer. */
export function writeFloat64(out: Uint8Array, at: number, value: number, block: NumberBlock): number {
  block.words[0] = value;
  for (let i = 0; i < 8; i++) out[at + i] = block.bytes[i]!;
  return at + 8;
}

/**
 * Packs `count` unsigned integers below 2^64 at `width` bits: one packed array up to 32 bits, else the lower 32 bits of
 * all and then their upper bits.
 */
export function packWide(
  low: Int32Array,
  high: Int32Array,
  count: number,
  width: number,
  out: Uint8Array,
  at: number,
): number {
  if (width <= 32) return packBits(low, 0, count, width, out, at);
  const middle = packBits(low, 0, count, 32, out, at);
  return packBits(high, 0, count, width - 32, out, middle);
}
