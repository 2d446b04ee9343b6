import { bitsOf, packBits, packedBytes } from '@shoal/codec';
import {
  BLOCK_VALUES,
  NUMBER_FLAG,
  NUMBER_MODE,
  type NumberBlock,
  numberBlock,
  packWide,
  writeFloat64,
} from './number-block.kernel.js';
import { gatherDistinct, replaceByIndexes, TABLE_MAX, type ValueTable, valueTable } from './value-table.kernel.js';

const DECIMALS_MAX = 12;
/** Upper bound of the bytes of an encoded block: raw 64-bit values and a header. */
export const NUMBER_BLOCK_BYTES_MAX = BLOCK_VALUES * 8 + 64;

/** Scratch arrays of the encoder and its output `out`; one for each writer. */
export interface NumberEncoder {
  readonly scaled: Float64Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly out: Uint8Array;
  readonly header: NumberBlock;
  readonly table: ValueTable;
}

/** An encoder, to be reused for many blocks. */
export function numberEncoder(): NumberEncoder {
  return {
    scaled: new Float64Array(BLOCK_VALUES),
    low: new Int32Array(BLOCK_VALUES),
    high: new Int32Array(BLOCK_VALUES),
    out: new Uint8Array(NUMBER_BLOCK_BYTES_MAX),
    header: numberBlock(),
    table: valueTable(),
  };
}

const isNegativeZero = (value: number): boolean => value === 0 && 1 / value < 0;

/** Number of leading values that are exact integers and not -0. */
function wholeNumbers(values: Float64Array, count: number): number {
  let i = 0;
  while (i < count) {
    const value = values[i]!;
    if (
      value !== Math.floor(value) ||
      value > Number.MAX_SAFE_INTEGER ||
      value < Number.MIN_SAFE_INTEGER ||
      isNegativeZero(value)
    )
      break;
    i++;
  }
  return i;
}

/** Smallest number of decimals at which integers reproduce all values exactly, or -1 if there is none. */
function decimalsOf(values: Float64Array, count: number): number {
  let decimals = 0;
  let scale = 1;
  for (let i = wholeNumbers(values, count); i < count; i++) {
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
    if (step !== 0 && Math.floor(rest / step) * step === rest) continue;
    while (rest !== 0) {
      const remainder = step % rest;
      step = rest;
      rest = remainder;
    }
  }
  return step === 0 ? 1 : step;
}

const bitsOfWide = (value: number): number =>
  value < 4294967296 ? bitsOf(value) : 32 + bitsOf(Math.floor(value / 4294967296));

interface Trend {
  readonly slope: number;
  readonly min: number;
  readonly range: number;
}

/** Fits `floor(slope * i)` to the steps; returns the slope and the range of the differences. */
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

function splitHalves({ scaled, low, high }: NumberEncoder, count: number, width: number): void {
  for (let i = 0; i < count; i++) low[i] = scaled[i]!;
  if (width > 32) for (let i = 0; i < count; i++) high[i] = Math.floor(scaled[i]! / 4294967296);
}

/** Collects the distinct values of `low` in the table; returns false if a table would save nothing. */
function fillTable(encoder: NumberEncoder, count: number, width: number): boolean {
  if (width < 3 || count < 64) return false;
  const { table } = encoder;
  if (!gatherDistinct(table, encoder.low, count, Math.min(TABLE_MAX, count >>> 2))) return false;
  const tableBytes = 2 + packedBytes(table.count, width);
  return packedBytes(count, width) - packedBytes(count, bitsOf(table.count - 1)) > tableBytes;
}

function writeTable(encoder: NumberEncoder, count: number, width: number, at: number): number {
  const { low, out, table } = encoder;
  replaceByIndexes(table, low, count);
  out[at++] = table.count - 1;
  out[at++] = width;
  return packBits(new Int32Array(table.distinct.buffer), 0, table.count, width, out, at);
}

function writePacked(
  encoder: NumberEncoder,
  count: number,
  min: number,
  step: number,
  slope: number,
  decimals: number,
  range: number,
): number {
  const { low, high, out, header, table } = encoder;
  const width = bitsOfWide(range);
  splitHalves(encoder, count, width);
  const hasTable = width <= 32 && fillTable(encoder, count, width);
  out[0] =
    NUMBER_MODE.packed |
    (step === 1 ? 0 : NUMBER_FLAG.step) |
    (slope === 0 ? 0 : NUMBER_FLAG.slope) |
    (decimals === 0 ? 0 : NUMBER_FLAG.decimals) |
    (hasTable ? NUMBER_FLAG.table : 0);
  const packedWidth = hasTable ? bitsOf(table.count - 1) : width;
  out[1] = packedWidth;
  let at = writeFloat64(out, 2, min, header);
  if (step !== 1) at = writeFloat64(out, at, step, header);
  if (slope !== 0) at = writeFloat64(out, at, slope, header);
  if (decimals !== 0) out[at++] = decimals;
  if (hasTable) at = writeTable(encoder, count, width, at);
  return packWide(low, high, count, packedWidth, out, at);
}

// Each loop is a function of its own, so that V8 optimises it alone and not again with the code that follows it.

function smallestOf(values: Float64Array, count: number): number {
  let min = Infinity;
  for (let i = 0; i < count; i++) if (values[i]! < min) min = values[i]!;
  return min;
}

function largestOf(values: Float64Array, count: number): number {
  let max = -Infinity;
  for (let i = 0; i < count; i++) if (values[i]! > max) max = values[i]!;
  return max;
}

function toSteps(scaled: Float64Array, count: number, min: number, step: number): void {
  if (step === 1) for (let i = 0; i < count; i++) scaled[i] = scaled[i]! - min;
  else for (let i = 0; i < count; i++) scaled[i] = (scaled[i]! - min) / step;
}

function removeTrend(scaled: Float64Array, count: number, { slope, min }: Trend): void {
  for (let i = 0; i < count; i++) scaled[i] = scaled[i]! - Math.floor(slope * i) - min;
}

/** Encodes the scaled integers in `encoder.scaled` as a packed block; returns the number of bytes. */
function encodeScaled(encoder: NumberEncoder, count: number, decimals: number): number {
  const { scaled } = encoder;
  const min = smallestOf(scaled, count);
  const max = largestOf(scaled, count);
  if (max - min > Number.MAX_SAFE_INTEGER) return -1;
  const step = commonStep(scaled, count, min);
  toSteps(scaled, count, min, step);
  const range = (max - min) / step;
  const trend = trendOf(scaled, count);
  const isExact = step * (range + trend.range) <= Number.MAX_SAFE_INTEGER;
  if (trend.slope === 0 || !isExact || bitsOfWide(trend.range) >= bitsOfWide(range))
    return writePacked(encoder, count, min, step, 0, decimals, range);
  removeTrend(scaled, count, trend);
  return writePacked(encoder, count, min + step * trend.min, step, trend.slope, decimals, trend.range);
}

function encodeFloats(encoder: NumberEncoder, values: Float64Array, count: number): number {
  const { out } = encoder;
  const view = new DataView(out.buffer, out.byteOffset);
  const fits32 = values.subarray(0, count).every((v) => Object.is(Math.fround(v), v));
  out[0] = fits32 ? NUMBER_MODE.float32 : NUMBER_MODE.float64;
  for (let i = 0; i < count; i++) {
    if (fits32) view.setFloat32(1 + 4 * i, values[i]!, true);
    else view.setFloat64(1 + 8 * i, values[i]!, true);
  }
  return 1 + count * (fits32 ? 4 : 8);
}

/** Encodes values[0 … count - 1] to `encoder.out`; returns the number of bytes. Integers must be exact doubles. */
export function encodeNumbers(encoder: NumberEncoder, values: Float64Array, count: number): number {
  const decimals = decimalsOf(values, count);
  if (decimals >= 0) {
    const scale = 10 ** decimals;
    if (decimals === 0) encoder.scaled.set(values.subarray(0, count));
    else for (let i = 0; i < count; i++) encoder.scaled[i] = Math.round(values[i]! * scale);
    const bytes = encodeScaled(encoder, count, decimals);
    if (bytes >= 0 && bytes <= 4 * count + 32) return bytes;
    if (bytes >= 0 && (decimals === 0 || bytes < 8 * count))
      return fitsFloat32(values, count) ? encodeFloats(encoder, values, count) : bytes;
  }
  return encodeFloats(encoder, values, count);
}

function fitsFloat32(values: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Object.is(Math.fround(values[i]!), values[i]!)) return false;
  return true;
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Encodes exact 64-bit integers of which some exceed 2^53. They are written as unsigned if one exceeds 2^63 - 1, else
 * as signed.
 */
export function encodeInt64(encoder: NumberEncoder, values: readonly bigint[]): number {
  const { low, high, out } = encoder;
  let mode: number = NUMBER_MODE.int64;
  values.forEach((value, i) => {
    low[i] = Number(BigInt.asIntN(32, value));
    high[i] = Number(BigInt.asIntN(32, value >> 32n));
    if (value > INT64_MAX) mode = NUMBER_MODE.uint64;
  });
  out[0] = mode;
  return packWide(low, high, values.length, 64, out, 1);
}
