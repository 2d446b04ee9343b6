import type { Pause } from '@shoal/query';

/** Numbers that are sorted at a stretch; sorted runs of so many are merged. */
const RUN_LENGTH = 4096;
/** Numbers that are merged between two looks at the clock. */
const MERGED_AT_ONCE = 16_384;

/** Bytes that sorting takes for each number: its place in the order, and once more while runs are merged. */
export const SORT_BYTES = 8;

/**
 * Returns the numbers below `count` in order, equal ones ascending. The thread is given back meanwhile (bottom-up merge
 * sort), so that millions of numbers keep nobody waiting.
 */
export async function sortedNumbers(
  count: number,
  compare: (a: number, b: number) => number,
  pause: Pause,
): Promise<Int32Array> {
  let order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let from = 0; from < count; from += RUN_LENGTH) {
    order.subarray(from, from + RUN_LENGTH).sort(compare);
    const wait = pause();
    if (wait !== null) await wait;
  }
  let other = new Int32Array(count > RUN_LENGTH ? count : 0);
  for (let width = RUN_LENGTH; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const merge = new Merge(order, other, { from, middle: Math.min(from + width, count), width }, compare);
      for (let isMerged = false; !isMerged; ) {
        isMerged = merge.advance(MERGED_AT_ONCE);
        const wait = pause();
        if (wait !== null) await wait;
      }
    }
    [order, other] = [other, order];
  }
  return order;
}

/** Two sorted runs beside each other in `source`, which become one in `target`. */
class Merge {
  readonly #source: Int32Array;
  readonly #target: Int32Array;
  readonly #compare: (a: number, b: number) => number;
  readonly #middle: number;
  readonly #end: number;
  #left: number;
  #right: number;
  #at: number;

  constructor(
    source: Int32Array,
    target: Int32Array,
    { from, middle, width }: { readonly from: number; readonly middle: number; readonly width: number },
    compare: (a: number, b: number) => number,
  ) {
    this.#source = source;
    this.#target = target;
    this.#compare = compare;
    this.#middle = middle;
    this.#end = Math.min(middle + width, source.length);
    this.#left = this.#at = from;
    this.#right = middle;
  }

  /** Moves at most `count` numbers; returns whether all are moved. */
  advance(count: number): boolean {
    const [source, target, middle, end] = [this.#source, this.#target, this.#middle, this.#end];
    const stop = Math.min(this.#at + count, end);
    let [left, right, at] = [this.#left, this.#right, this.#at];
    while (at < stop) {
      const takesLeft = left < middle && (right >= end || this.#compare(source[left]!, source[right]!) <= 0);
      target[at++] = takesLeft ? source[left++]! : source[right++]!;
    }
    [this.#left, this.#right, this.#at] = [left, right, at];
    return at === end;
  }
}
