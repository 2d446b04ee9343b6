import { wrapLong } from '../../runtime/longs.js';
import type { AllowTable } from './class-row.js';

const BITS = new DataView(new ArrayBuffer(8));

function doubleBits(value: number): bigint {
  BITS.setFloat64(0, value);
  return BITS.getBigInt64(0);
}

function floatBits(value: number): number {
  BITS.setFloat32(0, value);
  return BITS.getInt32(0);
}

/** Java's hexadecimal text: `0x1.8p1`; numbers below the smallest normal one keep its exponent. */
function hexText(value: number, smallestExponent: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}Infinity`;
  if (size === 0) return `${sign}0x0.0p0`;
  const bits = doubleBits(size);
  const exponent = Math.max(Number(bits >> 52n) - 1023, smallestExponent);
  const isNormal = size >= 2 ** smallestExponent;
  // 2 ** -1074 is the smallest double: scaled in two steps, because 2 ** 1074 is none.
  const scaled = size * 2 ** Math.min(-exponent, 1000) * 2 ** Math.max(0, -exponent - 1000);
  const fraction = BigInt((isNormal ? scaled - 1 : scaled) * 2 ** 52)
    .toString(16)
    .padStart(13, '0')
    .slice(0, digits);
  return `${sign}0x${isNormal ? 1 : 0}.${fraction.replace(/0+$/, '') || '0'}p${exponent}`;
}

/** Bits of floats as they are, and their hexadecimal texts. */
export const HEX_FLOATS: AllowTable = [
  {
    name: 'java.lang.Double',
    statics: {
      'long doubleToRawLongBits(double)': (value: number) => wrapLong(doubleBits(value)),
      'String toHexString(double)': (value: number) => hexText(value, -1022, 13),
    },
  },
  {
    name: 'java.lang.Float',
    statics: {
      'int floatToRawIntBits(float)': floatBits,
      'String toHexString(float)': (value: number) => hexText(value, -126, 6),
    },
  },
];
