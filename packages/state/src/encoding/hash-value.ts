/** A 64-bit number as two unsigned halves. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const EMPTY: Hash64 = { high: 0, low: 0 };

/** Adds two hashes modulo 2^64, so that the order of parts does not matter. */
export function addHash(a: Hash64, b: Hash64): Hash64 {
  const low = a.low + b.low;
  return { high: (a.high + b.high + (low > 0xffffffff ? 1 : 0)) >>> 0, low: low >>> 0 };
}

/** Subtracts the hash of a part from a sum. */
export function subtractHash(a: Hash64, b: Hash64): Hash64 {
  const low = a.low - b.low;
  return { high: (a.high - b.high - (low < 0 ? 1 : 0)) >>> 0, low: low >>> 0 };
}

/** Mixes both halves with the finalizer of MurmurHash3, so that each input bit affects all output bits. */
function mix(high: number, low: number): Hash64 {
  let [a, b] = [high | 0, low | 0];
  a = Math.imul(a ^ (a >>> 16) ^ b, 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 16) ^ (a >>> 13), 0xc2b2ae35);
  a = Math.imul(a ^ (a >>> 13) ^ (b >>> 16), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 13) ^ (a >>> 16), 0x85ebca6b);
  return { high: (a ^ (a >>> 16)) >>> 0, low: (b ^ (b >>> 16)) >>> 0 };
}

/** Hashes UTF-16 units with FNV-1a in two lanes with different start values. */
export function hashText(text: string, seed: number): Hash64 {
  let a = 0x811c9dc5 ^ seed;
  let b = 0x01000193 ^ Math.imul(seed, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995) + 0x6d2b79f5;
  }
  return mix(a, b ^ text.length);
}

/** Combines two hashes; their order matters. */
export function chainHash(a: Hash64, b: Hash64): Hash64 {
  return mix((Math.imul(a.high, 31) + b.high) ^ a.low, (Math.imul(a.low, 33) + b.low) ^ b.high);
}

/**
 * Hashes a value as JSON. The order of keys and keys with undefined values do not matter; the order of arrays does. Two
 * values that are equal after a round trip through JSON have the same hash.
 */
export function hashValue(value: unknown): Hash64 {
  if (typeof value === 'string') return hashText(value, 1);
  if (typeof value !== 'object' || value === null) return hashText(String(value), 2);
  if (Array.isArray(value))
    return value.reduce<Hash64>((sum, item) => chainHash(sum, hashValue(item ?? null)), hashText('', 3));
  let sum = EMPTY;
  for (const [key, item] of Object.entries(value))
    if (item !== undefined) sum = addHash(sum, chainHash(hashText(key, 4), hashValue(item)));
  return chainHash(hashText('', 5), sum);
}
