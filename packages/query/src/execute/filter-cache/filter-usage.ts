import type { SearcherCache } from '../../searcher.js';

/**
 * Number of past uses that are remembered, as in Lucene's UsageTrackingQueryCachingPolicy. A filter without a use among
 * them counts as rare.
 */
const REMEMBERED = 256;
/** Memory of a usage: the ring, and a map of at most as many hashes. */
const USAGE_BYTES = REMEMBERED * 24;

/**
 * Counts of the last uses of a shard's filters, by hash. Two filters that share a hash are only cached a little earlier
 * than they should be.
 */
class FilterUsage {
  readonly #ring = new Int32Array(REMEMBERED);
  readonly #uses = new Map<number, number>();
  #total = 0;

  /** Counts a use of the filter with this hash; returns how many of the remembered uses have this hash. */
  add(hash: number): number {
    const at = this.#total++ % REMEMBERED;
    if (this.#total > REMEMBERED) this.#forget(this.#ring[at]!);
    this.#ring[at] = hash;
    const uses = (this.#uses.get(hash) ?? 0) + 1;
    this.#uses.set(hash, uses);
    return uses;
  }

  #forget(hash: number): void {
    const uses = this.#uses.get(hash)! - 1;
    if (uses === 0) this.#uses.delete(hash);
    else this.#uses.set(hash, uses);
  }
}

/** Returns the usage counts that are kept in a searcher's cache. */
export const filterUsage = (cache: SearcherCache): FilterUsage =>
  cache.get('filter usage', () => ({ value: new FilterUsage(), bytes: USAGE_BYTES }));

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

const bits = new Float64Array(1);
const halves = new Int32Array(bits.buffer);

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, FNV_PRIME);

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i));
  return mixed;
}

/**
 * Returns the FNV-1a hash over the values of plain data; keys of objects and the middle of long lists are left out.
 * Equal data has equal hashes within one process.
 */
export function hashOf(value: unknown, hash = FNV_OFFSET): number {
  switch (typeof value) {
    case 'string':
      return mixText(hash, value);
    case 'number':
      bits[0] = value;
      return mix(mix(hash, halves[0]!), halves[1]!);
    case 'bigint':
      return mixText(hash, value.toString());
    case 'boolean':
      return mix(hash, value ? 1 : 2);
    case 'object':
      return value === null ? mix(hash, 3) : hashOfAll(value, hash);
    default:
      return mix(hash, 4);
  }
}

/** Items of a list that count: this many at its beginning and at its end. */
const HASHED_ITEMS = 256;

/** Of a long list, such as 65,536 terms or the points of a polygon, only its length and its ends are read. */
function hashOfList(list: readonly unknown[], hash: number): number {
  let mixed = mix(hash, list.length);
  const isLong = list.length > 2 * HASHED_ITEMS;
  const parts = isLong ? [list.slice(0, HASHED_ITEMS), list.slice(-HASHED_ITEMS)] : [list];
  for (const part of parts) for (const item of part) mixed = hashOf(item, mixed);
  return mixed;
}

function hashOfAll(value: object, hash: number): number {
  let mixed = mix(hash, 5);
  if (Array.isArray(value)) mixed = hashOfList(value, mixed);
  else for (const name in value) mixed = hashOf((value as Record<string, unknown>)[name], mixed);
  return mix(mixed, 6);
}
