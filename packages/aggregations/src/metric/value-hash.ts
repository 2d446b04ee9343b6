import { murmur3 } from '@shoal/codec';

/**
 * Hashes a term to an integer of 53 bits, out of two 32-bit murmur3 hashes. With 40,000 values (the greatest threshold)
 * a collision has a probability below 10^-6.
 */
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

/** Hashes a whole number, which may be beyond 2^53, to 53 bits. */
export const hashWhole = (value: number | bigint): number =>
  typeof value === 'number' ? hashNumber(value) : hashTerm(String(value));

/** Hashes the bits of a double to 53 bits; `-0.0` counts as `0.0`. */
export function hashNumber(value: number): number {
  doubles[0] = value === 0 ? 0 : value;
  const low = words[0]!;
  const high = words[1]!;
  return mix(low, high, 0x9e3779b1) * 2 ** 21 + (mix(high, low, 0x3c074a61) >>> 11);
}
