import { WINDOW_DOCS } from '@shoal/segments';
import type { SearcherCache } from '../searcher.js';

/** Arrays that stay for the next request; more are left to the collector of garbage. */
const IDLE_MAX = 16;

/**
 * Arrays of WINDOW_DOCS doubles for one request, taken from those that earlier requests gave back: fresh ones of this
 * size lie outside the heap and make for full collections.
 */
export class Scratch {
  readonly #idle: Float64Array[];
  readonly #lent: Float64Array[] = [];

  constructor(idle: Float64Array[]) {
    this.#idle = idle;
  }

  /** An array of zeros, until `release`. */
  doubles(): Float64Array {
    const array = this.#idle.pop()?.fill(0) ?? new Float64Array(WINDOW_DOCS);
    this.#lent.push(array);
    return array;
  }

  /** Ends the request: nothing it borrowed may be used any more. */
  release(): void {
    for (const array of this.#lent) if (this.#idle.length < IDLE_MAX) this.#idle.push(array);
    this.#lent.length = 0;
  }
}

/** Scratch space for one request on a searcher. */
export function requestScratch(cache: SearcherCache): Scratch {
  return new Scratch(cache.get<Float64Array[]>('scratch', () => ({ value: [], bytes: IDLE_MAX * WINDOW_DOCS * 8 })));
}
