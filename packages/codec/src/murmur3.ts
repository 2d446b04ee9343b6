const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

function mix(hash: number, block: number): number {
  let k = Math.imul(block, C1);
  k = Math.imul((k << 15) | (k >>> 17), C2);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, bytes: number): number {
  let h = hash ^ bytes;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * MurmurHash3 x86_32 of a text's UTF-16LE bytes, as a signed 32-bit integer: what Elasticsearch routes documents with
 * (`Murmur3HashFunction`, seed 0).
 */
export function murmur3(text: string, seed = 0): number {
  const { length } = text;
  const pairs = length >>> 1;
  let hash = seed;
  for (let i = 0; i < pairs; i++) hash = mix(hash, text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 16));
  if ((length & 1) === 1) {
    const k = Math.imul(text.charCodeAt(length - 1), C1);
    hash ^= Math.imul((k << 15) | (k >>> 17), C2);
  }
  return finish(hash, length * 2);
}

const HIGH_SEED = 0x3c074a61;

/** Lower half of the 64-bit hash of a document id. */
export const idHashLow = (id: string): number => murmur3(id, 0);

/** Upper half of the 64-bit hash of a document id. */
export const idHashHigh = (id: string): number => murmur3(id, HIGH_SEED);
