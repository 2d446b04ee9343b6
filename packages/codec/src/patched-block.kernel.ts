import { errors } from '@shoal/errors';
import { bitsOf, packBits, packedBytes, unpackBits } from './bit-pack.kernel.js';

/*
 * Patched frame of reference (Zukowski et al., "Super-Scalar RAM-CPU Cache Compression", 2006): up to 255 integers
 * packed at a width that fits most of them. The few larger ones are exceptions: their high bits follow the packed bits.
 * Layout: width byte (+ 0x40 if there are exceptions), packed low bits, then a count byte and a pair of bytes (index,
 * high bits) for each exception. A block of zeros is one byte.
 */

/** Flag in the width byte: exceptions follow the packed bits. */
const HAS_EXCEPTIONS = 0x40;

/** Limit of the values of one block: indexes of exceptions are bytes. */
export const PATCHED_BLOCK_MAX = 255;

/** Upper bound of the encoded bytes of a block of `count` values. */
export function patchedBytesMax(count: number): number {
  return 2 + 4 * count;
}

/** Width with the fewest bytes, given the number of values by the bits that they need. Exceptions have 8 high bits. */
function chooseWidth(histogram: Int32Array, count: number, top: number): number {
  let best = top;
  let bestBytes = packedBytes(count, top);
  let exceptions = 0;
  for (let width = top - 1; width >= 0 && width >= top - 8; width--) {
    exceptions += histogram[width + 1]!;
    const bytes = packedBytes(count, width) + 1 + 2 * exceptions;
    if (bytes < bestBytes) {
      best = width;
      bestBytes = bytes;
    }
  }
  return best;
}

const histogramOf = (values: Int32Array, from: number, count: number, histogram: Int32Array, top: number): void => {
  for (let width = 0; width <= top; width++) histogram[width] = 0;
  for (let i = from, end = from + count; i < end; i++) histogram[32 - Math.clz32(values[i]!)]!++;
};

/** Blocks of fewer values never have exceptions: these would save nothing. */
const EXCEPTIONS_FROM = 4;

/**
 * Encodes values[from … from + count - 1], unsigned 32-bit integers, at `at` in `out`; returns the offset after the
 * block. Overwrites these values, and `histogram`, scratch space of 33 integers.
 */
export function encodePatched(
  values: Int32Array,
  from: number,
  count: number,
  out: Uint8Array,
  at: number,
  histogram: Int32Array,
): number {
  let all = 0;
  for (let i = from, last = from + count; i < last; i++) all |= values[i]!;
  const top = bitsOf(all);
  if (top === 0 || count < EXCEPTIONS_FROM) {
    out[at] = top;
    return packBits(values, from, count, top, out, at + 1);
  }
  histogramOf(values, from, count, histogram, top);
  const width = chooseWidth(histogram, count, top);
  let exceptions = 0;
  for (let w = width + 1; w <= top; w++) exceptions += histogram[w]!;
  out[at] = exceptions > 0 ? width | HAS_EXCEPTIONS : width;
  const packedAtByte = at + 1;
  const end = packedAtByte + packedBytes(count, width);
  if (exceptions === 0) return packBits(values, from, count, width, out, packedAtByte);
  let p = end;
  out[p++] = exceptions;
  for (let i = 0; i < count; i++) {
    const value = values[from + i]!;
    if (bitsOf(value) <= width) continue;
    out[p++] = i;
    out[p++] = value >>> width;
    values[from + i] = width === 0 ? 0 : value & (-1 >>> (32 - width));
  }
  packBits(values, from, count, width, out, packedAtByte);
  return p;
}

/** Offset after the block of `count` values at `at`. Throws corrupt_index_exception if the block exceeds `bytes`. */
export function skipPatched(bytes: Uint8Array, at: number, count: number): number {
  const header = bytes[at]!;
  const width = header & 0x3f;
  let end = at + 1 + packedBytes(count, width);
  if ((header & HAS_EXCEPTIONS) !== 0) end += 1 + 2 * bytes[end]!;
  if (!(end <= bytes.length) || width > 32)
    throw errors.corruption(`packed block at ${at} runs over the end of its chunk`);
  return end;
}

/**
 * Decodes the block of `count` values at `at` into `out`; returns the offset after the block. Throws
 * corrupt_index_exception if the block exceeds `bytes`.
 */
export function decodePatched(bytes: Uint8Array, at: number, count: number, out: Int32Array, outAt: number): number {
  const end = skipPatched(bytes, at, count);
  const header = bytes[at]!;
  const width = header & 0x3f;
  if (width === 0) out.fill(0, outAt, outAt + count);
  else unpackBits(bytes, at + 1, width, count, out, outAt);
  if ((header & HAS_EXCEPTIONS) === 0) return end;
  for (let p = at + 2 + packedBytes(count, width); p < end; p += 2) {
    const index = bytes[p]!;
    if (index < count) out[outAt + index]! |= bytes[p + 1]! << width;
  }
  return end;
}
