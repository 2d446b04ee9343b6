/** MurmurHash3 x86_32 of bytes, as a signed integer: Lucene's StringHelper, by which Elasticsearch partitions terms. */
export function murmur3Bytes(bytes: Uint8Array, seed: number): number {
  const rounded = bytes.length & ~3;
  let h = seed;
  for (let i = 0; i < rounded; i += 4) {
    const k = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    h = mix(h ^ scramble(k));
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= rounded; i--) tail = (tail << 8) | bytes[i]!;
  if (rounded < bytes.length) h ^= scramble(tail);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

function scramble(k: number): number {
  const mixed = Math.imul(k, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

const mix = (h: number): number => (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** D. Stafford's 64-bit mixer, variant 9 of his blog: by which Elasticsearch partitions numbers. */
export function mix64(value: bigint): bigint {
  let z = u64(value);
  z = u64((z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = u64((z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return BigInt.asIntN(64, z ^ (z >> 32n));
}
