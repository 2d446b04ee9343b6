import type { DecodedRunCache } from '../segment-reader.js';

interface KeptRun<T> {
  readonly values: T;
  readonly place: { isUsed: boolean };
}

/** Values read one by one from a block that have cost as much as decoding all of it. */
const READS_WORTH_DECODING = 512;

/** Decoded runs of one column that outlive the request, by block. Shared by its readers: nobody writes into them. */
export class KeptRuns<T extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>> {
  readonly #cache: DecodedRunCache | null;
  readonly #runs: (KeptRun<T> | undefined)[] = [];
  readonly #reads: (number | undefined)[] = [];

  constructor(cache: DecodedRunCache | null) {
    this.#cache = cache;
  }

  /** The values of a block, null when they are not kept. */
  find(block: number): T | null {
    const kept = this.#runs[block];
    if (kept === undefined) return null;
    kept.place.isUsed = true;
    return kept.values;
  }

  /**
   * Notes that `count` values of a block that is not kept will be read one by one; true once they have been so many,
   * over all requests, that the block had better be decoded and kept.
   */
  isWorthDecoding(block: number, count: number): boolean {
    if (this.#cache === null) return false;
    const reads = (this.#reads[block] ?? 0) + count;
    this.#reads[block] = reads < READS_WORTH_DECODING ? reads : 0;
    return reads >= READS_WORTH_DECODING;
  }

  /** Keeps a copy of the first `count` values of a block, null when the cache does not take them now. */
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
