const SIGN_64 = 1n << 63n;
const MASK_64 = (1n << 64n) - 1n;

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

/** Text of the next greater (`step` 1) or smaller (-1) value; wraps around at the ends. */
export function neighbour(text: string, step: 1 | -1): string {
  const codes = [...text].map((char) => char.charCodeAt(0));
  for (let i = codes.length - 1; i >= 0; i--) {
    codes[i] = (codes[i]! + step + 256) & 255;
    if (codes[i] !== (step === 1 ? 0 : 255)) break;
  }
  return String.fromCharCode(...codes);
}
