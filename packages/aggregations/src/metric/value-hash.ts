import { murmur3 } from '@shoal/codec';

/** 53 bits of two 32-bit murmur3 hashes, as an integer: collisions stay out of reach of the counts that are exact. */
export function hashTerm(term: string): number {
  return (murmur3(term, 0) >>> 0) * 2 ** 21 + (murmur3(term, 0x3c074a61) >>> 11);
}

const doubles = new Float64Array(1);
const words = new Uint32Array(doubles.buffer);

function mix(low: number, high: number, seed: number): number {
  let h = Math.imul(low ^ seed, 0xcc9e2d51);
  h = Math.imul((h << 15) | (h >>> 17), 0x1b873593) ^ high;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) + low;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 15)) >>> 0;
}

/** The same of a whole number that may be beyond 2^53. */
export const hashWhole = (value: number | bigint): number =>
  typeof value === 'number' ? hashNumber(value) : hashTerm(String(value));

/** 53-bit hash of a number's bits; `-0.0` is `0.0`. */
export function hashNumber(value: number): number {
  doubles[0] = value === 0 ? 0 : value;
  const low = words[0]!;
  const high = words[1]!;
  return mix(low, high, 0x9e3779b1) * 2 ** 21 + (mix(high, low, 0x3c074a61) >>> 11);
}
