import { bitsOf, packBits, packedBytes } from '@shoal/codec';
import { BLOCK_VALUES, HAS, MODE, type NumberBlock, numberBlock, packWide, writeFloat64 } from './number-block.kernel.js';

const DECIMALS_MAX = 12;
const TABLE_MAX = 256;
/** Largest encoded block: raw 64-bit values and a byte. */
export const NUMBER_BLOCK_BYTES_MAX = BLOCK_VALUES * 8 + 64;

/** Room for the work of encoding; one a writer. */
export interface NumberEncoder {
  readonly scaled: Float64Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly out: Uint8Array;
  readonly header: NumberBlock;
}

export function numberEncoder(): NumberEncoder {
  return {
    scaled: new Float64Array(BLOCK_VALUES), low: new Int32Array(BLOCK_VALUES), high: new Int32Array(BLOCK_VALUES), out: new Uint8Array(NUMBER_BLOCK_BYTES_MAX),
    header: numberBlock(),
  };
}

const isNegativeZero = (value: number): boolean => value === 0 && 1 / value < 0;

/** Fewest decimals that give all values back from integers, or -1. */
function decimalsOf(values: Float64Array, count: number): number {
  let decimals = 0;
  let scale = 1;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (isNegativeZero(value)) return -1;
    while (Math.round(value * scale) / scale !== value) {
      if (++decimals > DECIMALS_MAX) return -1;
      scale = 10 ** decimals;
    }
    if (Math.abs(value * scale) > Number.MAX_SAFE_INTEGER) return -1;
  }
  return decimals;
}

function commonStep(scaled: Float64Array, count: number, min: number): number {
  let step = 0;
  for (let i = 0; i < count && step !== 1; i++) {
    let rest = scaled[i]! - min;
    while (rest !== 0) {
      const remainder = step % rest;
      step = rest;
      rest = remainder;
    }
  }
  return step === 0 ? 1 : step;
}

const bitsOfWide = (value: number): number => (value < 4294967296 ? bitsOf(value) : 32 + bitsOf(Math.floor(value / 4294967296)));

interface Trend {
  readonly slope: number;
  readonly min: number;
  readonly range: number;
}

/** How well `floor(slope * i)` follows the steps: the range of what is left. */
function trendOf(steps: Float64Array, count: number): Trend {
  const slope = count > 1 ? (steps[count - 1]! - steps[0]!) / (count - 1) : 0;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < count; i++) {
    const rest = steps[i]! - Math.floor(slope * i);
    if (rest < min) min = rest;
    if (rest > max) max = rest;
  }
  return { slope, min, range: max - min };
}

function splitHalves(encoder: NumberEncoder, count: number): void {
  const { scaled, low, high } = encoder;
  for (let i = 0; i < count; i++) {
    low[i] = scaled[i]!;
    high[i] = Math.floor(scaled[i]! / 4294967296);
  }
}

/** Distinct values of `low`, ascending as unsigned, or null when there are too many to gain. */
function tableOf(low: Int32Array, count: number, width: number): Int32Array | null {
  if (width < 3 || count < 64) return null;
  const seen = new Set<number>();
  const most = Math.min(TABLE_MAX, count >>> 2);
  for (let i = 0; i < count; i++) {
    seen.add(low[i]! >>> 0);
    if (seen.size > most) return null;
  }
  const tableBytes = 2 + packedBytes(seen.size, width);
  const gain = packedBytes(count, width) - packedBytes(count, bitsOf(seen.size - 1));
  return gain > tableBytes ? Int32Array.from([...seen].sort((a, b) => a - b)) : null;
}

function writeTable(encoder: NumberEncoder, count: number, table: Int32Array, width: number, at: number): number {
  const { low, out } = encoder;
  const index = new Map<number, number>();
  table.forEach((value, i) => index.set(value, i));
  for (let i = 0; i < count; i++) low[i] = index.get(low[i]!)!;
  out[at++] = table.length - 1;
  out[at++] = width;
  return packBits(table, 0, table.length, width, out, at);
}

function writePacked(encoder: NumberEncoder, count: number, min: number, step: number, slope: number, decimals: number, range: number): number {
  const { low, high, out, header } = encoder;
  splitHalves(encoder, count);
  const width = bitsOfWide(range);
  const table = width <= 32 ? tableOf(low, count, width) : null;
  out[0] = MODE.packed | (step === 1 ? 0 : HAS.step) | (slope === 0 ? 0 : HAS.slope) | (decimals === 0 ? 0 : HAS.decimals) | (table === null ? 0 : HAS.table);
  const packedWidth = table === null ? width : bitsOf(table.length - 1);
  out[1] = packedWidth;
  let at = writeFloat64(out, 2, min, header);
  if (step !== 1) at = writeFloat64(out, at, step, header);
  if (slope !== 0) at = writeFloat64(out, at, slope, header);
  if (decimals !== 0) out[at++] = decimals;
  if (table !== null) at = writeTable(encoder, count, table, width, at);
  return packWide(low, high, count, packedWidth, out, at);
}

/** Scaled integers in `encoder.scaled` as a packed block. */
function encodeScaled(encoder: NumberEncoder, count: number, decimals: number): number {
  const { scaled } = encoder;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < count; i++) {
    min = Math.min(min, scaled[i]!);
    max = Math.max(max, scaled[i]!);
  }
  if (max - min > Number.MAX_SAFE_INTEGER) return -1;
  const step = commonStep(scaled, count, min);
  for (let i = 0; i < count; i++) scaled[i] = (scaled[i]! - min) / step;
  const range = (max - min) / step;
  const trend = trendOf(scaled, count);
  const isExact = step * (range + trend.range) <= Number.MAX_SAFE_INTEGER;
  if (trend.slope === 0 || !isExact || bitsOfWide(trend.range) >= bitsOfWide(range)) return writePacked(encoder, count, min, step, 0, decimals, range);
  for (let i = 0; i < count; i++) scaled[i] = scaled[i]! - Math.floor(trend.slope * i) - trend.min;
  return writePacked(encoder, count, min + step * trend.min, step, trend.slope, decimals, trend.range);
}

function encodeFloats(encoder: NumberEncoder, values: Float64Array, count: number): number {
  const { out } = encoder;
  const view = new DataView(out.buffer, out.byteOffset);
  const fits32 = values.subarray(0, count).every((v) => Object.is(Math.fround(v), v));
  out[0] = fits32 ? MODE.float32 : MODE.float64;
  for (let i = 0; i < count; i++) {
    if (fits32) view.setFloat32(1 + 4 * i, values[i]!, true);
    else view.setFloat64(1 + 8 * i, values[i]!, true);
  }
  return 1 + count * (fits32 ? 4 : 8);
}

/** Encodes values[0 … count - 1] into `encoder.out`; returns the number of bytes. Integers must be exact. */
export function encodeNumbers(encoder: NumberEncoder, values: Float64Array, count: number): number {
  const decimals = decimalsOf(values, count);
  if (decimals >= 0) {
    const scale = 10 ** decimals;
    for (let i = 0; i < count; i++) encoder.scaled[i] = Math.round(values[i]! * scale);
    const bytes = encodeScaled(encoder, count, decimals);
    if (bytes >= 0 && bytes <= 4 * count + 32) return bytes;
    if (bytes >= 0 && (decimals === 0 || bytes < 8 * count)) return fitsFloat32(values, count) ? encodeFloats(encoder, values, count) : bytes;
  }
  return encodeFloats(encoder, values, count);
}

function fitsFloat32(values: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Object.is(Math.fround(values[i]!), values[i]!)) return false;
  return true;
}

/** Encodes exact 64-bit integers, some of them beyond 2^53. */
export function encodeInt64(encoder: NumberEncoder, values: readonly bigint[]): number {
  const { low, high, out } = encoder;
  values.forEach((value, i) => {
    low[i] = Number(BigInt.asIntN(32, value));
    high[i] = Number(BigInt.asIntN(32, value >> 32n));
  });
  out[0] = MODE.int64;
  return packWide(low, high, values.length, 64, out, 1);
}
