const doubles = new Float64Array(1);
const words = new Int32Array(doubles.buffer);

/**
 * Hash of a pair of an int and a double, mixed as in murmur3's finalizer. `0.0` and `-0.0` differ: callers normalise.
 */
export function hashPair(owner: number, key: number): number {
  const whole = key | 0;
  if (whole === key) return mix(Math.imul(whole, 0xcc9e2d51) ^ Math.imul(owner, 0x9e3779b1));
  doubles[0] = key;
  return mix(Math.imul(words[0]!, 0xcc9e2d51) ^ Math.imul(words[1]!, 0x1b873593) ^ Math.imul(owner, 0x9e3779b1));
}

function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * Looks up pairs (owners[i], keys[i]) from i = `from` on in an open-addressed table with linear probing; `owners` null
 * means 0. Writes their numbers to `out`, which may be the array `owners`. Stops at the first pair that is not in the
 * table and returns its index, or `count`.
 */
export function findPairs(
  slots: Int32Array,
  tableOwners: Int32Array,
  tableKeys: Float64Array,
  owners: Int32Array | null,
  keys: Float64Array,
  from: number,
  count: number,
  out: Int32Array,
): number {
  const mask = slots.length - 1;
  for (let i = from; i < count; i++) {
    const key = keys[i]!;
    const owner = owners === null ? 0 : owners[i]!;
    let slot = hashPair(owner, key) & mask;
    let id = slots[slot]!;
    while (id >= 0 && (tableKeys[id] !== key || tableOwners[id] !== owner)) {
      slot = (slot + 1) & mask;
      id = slots[slot]!;
    }
    if (id < 0) return i;
    out[i] = id;
  }
  return count;
}
