/**
 * Returns texts in the order in which Java's HashMap gives its keys: by bucket of a table that holds them all.
 * Elasticsearch walks fields of a query in this order, which shows in explanations and in which of several errors is
 * thrown. Source: OpenJDK 21, java.util.HashMap (`hash`, `resize`) and String.hashCode.
 */
export function hashOrder(texts: Iterable<string>): string[] {
  const keys = [...texts];
  let buckets = BUCKETS_MIN;
  while (keys.length > buckets * LOAD_FACTOR) buckets *= 2;
  const bucketOf = new Map(keys.map((key) => [key, spread(hashCode(key)) & (buckets - 1)]));
  return keys.sort((a, b) => bucketOf.get(a)! - bucketOf.get(b)!);
}

/** Buckets of a new table. */
const BUCKETS_MIN = 16;
/** Keys a bucket above which the table doubles. */
const LOAD_FACTOR = 0.75;

/** Returns Java's `String.hashCode` of a text. */
export function hashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

/** Returns 32 bits mixed with a seed by the finaliser of MurmurHash3 (com.carrotsearch.hppc.BitMixer.mix). */
export function mixBits(value: number, seed: number): number {
  let hash = (value ^ seed) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
