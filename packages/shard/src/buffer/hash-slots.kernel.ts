/**
 * Slots probed for one text. A longer run of collisions only comes from chosen texts (an attack); the caller keeps
 * these texts in a map.
 */
export const PROBES_MAX = 64;

/** Returns the hash of a text: FNV-1a over its UTF-16 units, with the high bits folded in. */
export function textHash(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

/**
 * Writes (entry, hash) to the first free slot of `pairs`: open addressing over a power of two of slots. Returns false
 * if none of the PROBES_MAX slots is free.
 */
export function place(pairs: Int32Array, hash: number, entry: number): boolean {
  const mask = pairs.length - 1;
  let at = (hash << 1) & mask;
  for (let probe = 0; probe < PROBES_MAX; probe++) {
    if (pairs[at] === 0) {
      pairs[at] = entry;
      pairs[at + 1] = hash;
      return true;
    }
    at = (at + 2) & mask;
  }
  return false;
}

/**
 * Returns a table of twice the size with the same entries. `crowdedOut` gets each entry that finds no slot there
 * either.
 */
export function growPairs(pairs: Int32Array, crowdedOut: (entry: number) => void): Int32Array {
  const grown = new Int32Array(pairs.length * 2);
  for (let at = 0; at < pairs.length; at += 2) {
    const entry = pairs[at]!;
    if (entry !== 0 && !place(grown, pairs[at + 1]!, entry)) crowdedOut(entry);
  }
  return grown;
}
