import type { Matcher, Scratch, SegmentView, Weight } from '@shoal/query';
import { roomForInts } from './growable.js';

/** Finds the documents of a window that match a query. */
export interface DocFilter {
  segment(view: SegmentView): void;
  /**
   * Writes the matching documents among ascending `docs` (repeats allowed) to `kept`, without repeats. Returns their
   * number.
   */
  filter(docs: Int32Array, count: number): number;
  /** Counts the matching documents among ascending `docs` without repeats. Leaves `kept` undefined. */
  count(docs: Int32Array, count: number): number;
  readonly kept: Int32Array;
}

/** Copies ascending documents without repeats. */
function distinct(docs: Int32Array, count: number, out: Int32Array): number {
  let size = 0;
  for (let i = 0; i < count; i++) if (size === 0 || out[size - 1] !== docs[i]) out[size++] = docs[i]!;
  return size;
}

class WeightFilter implements DocFilter {
  readonly #weight: Weight;
  readonly #scratch: Scratch | undefined;
  #matcher: Matcher | null = null;
  #view: SegmentView | null = null;
  /** Document behind the last one that was asked for. */
  #next = 0;
  kept: Int32Array<ArrayBuffer> = NO_DOCS;

  constructor(weight: Weight, scratch: Scratch | undefined) {
    this.#weight = weight;
    this.#scratch = scratch;
  }

  segment(view: SegmentView): void {
    this.#view = view;
    this.#next = 0;
    this.#matcher = this.#weight.matcher(view, false);
  }

  /** Returns the matcher for documents from `first` to `last`. Matchers only go forward. */
  #matcherOf(first: number, last: number): Matcher | null {
    if (first < this.#next && this.#matcher) this.#matcher = this.#weight.matcher(this.#view!, false);
    this.#next = last + 1;
    return this.#matcher;
  }

  filter(docs: Int32Array, count: number): number {
    if (count === 0) return 0;
    const matcher = this.#matcherOf(docs[0]!, docs[count - 1]!);
    if (!matcher) return 0;
    const kept = (this.kept = roomForInts(this.kept, count, this.#scratch));
    return matcher.filter(kept, distinct(docs, count, kept), null);
  }

  count(docs: Int32Array, count: number): number {
    if (count === 0) return 0;
    const next = this.#next;
    const among = this.#matcherOf(docs[0]!, docs[count - 1]!)?.countAmong?.(docs, count) ?? -1;
    if (among >= 0) return among;
    this.#next = next;
    return this.filter(docs, count);
  }
}

const NO_DOCS = new Int32Array(0);

/**
 * Makes a filter from a weight. A call that goes back within a segment, as those of aggregations below buckets that
 * share documents do, makes the matcher anew.
 */
export function docFilter(weight: Weight, scratch: Scratch | undefined): DocFilter {
  return new WeightFilter(weight, scratch);
}
