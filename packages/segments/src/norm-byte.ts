/** Values below this are exact: 255 minus what `floatLike(2^31 - 1)` encodes to (231). */
const EXACT_BELOW = 24;

function floatLike(value: number): number {
  const bits = 32 - Math.clz32(value);
  if (bits < 4) return value;
  const shift = bits - 4;
  return ((value >>> shift) & 7) | ((shift + 1) << 3);
}

function fromFloatLike(code: number): number {
  const shift = (code >>> 3) - 1;
  const mantissa = code & 7;
  return shift < 0 ? mantissa : (mantissa | 8) * 2 ** shift;
}

/**
 * Encodes the length of a field (0 … 2^31 - 1) in one byte with four significant bits, rounded down (Lucene 9,
 * `SmallFloat.intToByte4`).
 */
export function intToByte4(length: number): number {
  return length < EXACT_BELOW ? length : EXACT_BELOW + floatLike(length - EXACT_BELOW);
}

/** Decodes a norm byte to the length (Lucene 9, `SmallFloat.byte4ToInt`). */
export function byte4ToInt(norm: number): number {
  return norm < EXACT_BELOW ? norm : EXACT_BELOW + fromFloatLike(norm - EXACT_BELOW);
}
