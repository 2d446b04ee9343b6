const SIGN_64 = 1n << 63n;
const MASK_64 = (1n << 64n) - 1n;
/** Smallest positive float. */
const FLOAT_MIN = 2 ** -149;

/** Eight characters with codes 0-255, ordered like the unsigned numbers. */
function textOf(bits: bigint): string {
  let text = '';
  for (let shift = 56n; shift >= 0n; shift -= 8n) text += String.fromCharCode(Number((bits >> shift) & 255n));
  return text;
}

function bitsOf(text: string): bigint {
  let bits = 0n;
  for (let i = 0; i < 8; i++) bits = (bits << 8n) | BigInt(text.charCodeAt(i));
  return bits;
}

/** A 64-bit whole number as a text whose order is that of the numbers. */
export function encodeWhole(value: bigint): string {
  return textOf((value + SIGN_64) & MASK_64);
}

/** Reverse of `encodeWhole`. */
export function decodeWhole(text: string): bigint {
  return bitsOf(text) - SIGN_64;
}

/**
 * A double as a text whose order is that of the numbers: negative ones have all bits inverted, others only the sign
 * bit.
 */
export function encodeDouble(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  return textOf((bits & SIGN_64) === 0n ? bits | SIGN_64 : ~bits & MASK_64);
}

/** Reverse of `encodeDouble`. */
export function decodeDouble(text: string): number {
  const bits = bitsOf(text);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, (bits & SIGN_64) === 0n ? ~bits & MASK_64 : bits ^ SIGN_64);
  return view.getFloat64(0);
}

/** Text of the next greater (`step` 1) or smaller (-1) float of a float that was encoded as a double. */
export function floatNeighbour(text: string, step: 1 | -1): string {
  const value = decodeDouble(text);
  if (value === step * Infinity) return text;
  if (value === 0) return encodeDouble(step * FLOAT_MIN);
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  view.setInt32(0, view.getInt32(0) + (value > 0 ? step : -step));
  return encodeDouble(view.getFloat32(0));
}

/** Text of the next greater (`step` 1) or smaller (-1) value; wraps around at the ends. */
export function neighbour(text: string, step: 1 | -1): string {
  const codes = [...text].map((char) => char.charCodeAt(0));
  for (let i = codes.length - 1; i >= 0; i--) {
    codes[i] = (codes[i]! + step + 256) & 255;
    if (codes[i] !== (step === 1 ? 0 : 255)) break;
  }
  return String.fromCharCode(...codes);
}
