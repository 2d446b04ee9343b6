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
  kept: Int32Array<ArrayBuffer> = NO_DOCS;

  constructor(weight: Weight, scratch: Scratch | undefined) {
    this.#weight = weight;
    this.#scratch = scratch;
  }

  segment(view: SegmentView): void {
    this.#matcher = this.#weight.matcher(view, false);
  }

  filter(docs: Int32Array, count: number): number {
    if (!this.#matcher) return 0;
    const kept = (this.kept = roomForInts(this.kept, count, this.#scratch));
    return this.#matcher.filter(kept, distinct(docs, count, kept), null);
  }

  count(docs: Int32Array, count: number): number {
    const among = this.#matcher?.countAmong?.(docs, count) ?? -1;
    return among >= 0 ? among : this.filter(docs, count);
  }
}

const NO_DOCS = new Int32Array(0);

/** Makes a filter from a weight. Calls within a segment must have ascending documents. */
export function docFilter(weight: Weight, scratch: Scratch | undefined): DocFilter {
  return new WeightFilter(weight, scratch);
}
