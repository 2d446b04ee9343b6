import type { DecodedRunCache } from '../segment-reader.js';

interface CachedRun<T> {
  readonly values: T;
  readonly place: { isUsed: boolean };
}

/** Number of values read one by one that costs as much as decoding the whole block. */
const READS_WORTH_DECODING = 512;

/**
 * Decoded runs of one column in the node's cache, by block. All readers of the column share them; do not write to them.
 */
export class CachedRuns<T extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>> {
  readonly #cache: DecodedRunCache | null;
  readonly #runs: (CachedRun<T> | undefined)[] = [];
  readonly #reads: (number | undefined)[] = [];

  constructor(cache: DecodedRunCache | null) {
    this.#cache = cache;
  }

  /** Values of a block, or null if they are not cached. */
  find(block: number): T | null {
    const kept = this.#runs[block];
    if (kept === undefined) return null;
    kept.place.isUsed = true;
    return kept.values;
  }

  /**
   * Counts `count` values of a block that is not cached and will be read one by one. Returns true once so many have
   * been read, over all requests, that the block is worth decoding and caching.
   */
  isWorthDecoding(block: number, count: number): boolean {
    if (this.#cache === null) return false;
    const reads = (this.#reads[block] ?? 0) + count;
    this.#reads[block] = reads < READS_WORTH_DECODING ? reads : 0;
    return reads >= READS_WORTH_DECODING;
  }

  /** Caches a copy of the first `count` values of a block and returns it; null if the cache does not take it now. */
  keep(block: number, values: T, count: number): T | null {
    if (this.#cache?.admits(count * values.BYTES_PER_ELEMENT) !== true) return null;
    const copy = values.slice(0, count) as T;
    let isDropped = false;
    const place = this.#cache.add(new Uint8Array(copy.buffer), () => {
      isDropped = true;
      this.#runs[block] = undefined;
    });
    if (!isDropped) this.#runs[block] = { values: copy, place };
    return copy;
  }
}
