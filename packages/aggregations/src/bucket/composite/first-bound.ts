import type { BucketTable } from '../../collect/bucket-table.js';
import { growInts } from '../../collect/growable.js';

/** Combinations that are looked at beyond the page before the bound is computed anew. */
const SLACK = 64;

/**
 * The last code of the first source that can still be on a page of `size` combinations, as it follows from those
 * collected so far: combinations are counted by their first code, each once.
 */
export class FirstBound {
  readonly #tables: readonly BucketTable[];
  readonly #size: number;
  readonly #compare: (a: number, b: number) => number;
  /** Combinations of each pair of the first source. */
  #counts = new Int32Array(0);
  #counted = 0;
  /** Pairs of the first source that can be on the page, up to `#seen` those of the last bound. */
  #pairs: number[] = [];
  #seen = 0;
  #checkAt: number;

  constructor(tables: readonly BucketTable[], size: number, compare: (a: number, b: number) => number) {
    this.#tables = tables;
    this.#size = size;
    this.#compare = compare;
    this.#checkAt = size + SLACK;
  }

  /** Returns the bound if there are enough new combinations to compute it, else undefined. */
  next(): number | undefined {
    const { size } = this.#tables.at(-1)!;
    if (size < this.#checkAt) return undefined;
    this.#checkAt = size + this.#size + SLACK;
    this.#count(size);
    const { keys, size: pairs } = this.#tables[0]!;
    for (; this.#seen < pairs; this.#seen++) this.#pairs.push(this.#seen);
    this.#pairs.sort((a, b) => this.#compare(keys[a]!, keys[b]!));
    let combinations = 0;
    const end = this.#pairs.findIndex((pair) => (combinations += this.#counts[pair]!) >= this.#size);
    if (end >= 0) this.#pairs.length = end + 1;
    return end < 0 ? undefined : keys[this.#pairs[end]!];
  }

  #count(size: number): void {
    this.#counts = growInts(this.#counts, this.#tables[0]!.size);
    for (; this.#counted < size; this.#counted++) {
      let at = this.#counted;
      for (let level = this.#tables.length - 1; level > 0; level--) at = this.#tables[level]!.owners[at]!;
      this.#counts[at]!++;
    }
  }
}
