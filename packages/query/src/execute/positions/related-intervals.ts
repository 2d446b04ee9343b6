import type { IntervalRelation } from './interval-tree.js';
import { firstFrom, type Span } from './position-lists.js';

/**
 * Intervals by which others are filtered, ordered by their beginnings. Each question is answered by a binary search and
 * the extremes of the ends before or behind a place.
 */
export class RelatedIntervals {
  readonly #spans: readonly Span[];
  /** At i: the largest end of the first i intervals; -1 for none. */
  readonly #endsBefore: Int32Array;
  /** At i: the smallest end of the intervals from i on; the largest number for none. */
  readonly #endsFrom: Int32Array;

  constructor(spans: readonly Span[]) {
    const size = spans.length;
    this.#spans = spans;
    this.#endsBefore = new Int32Array(size + 1).fill(-1);
    this.#endsFrom = new Int32Array(size + 1).fill(0x7fffffff);
    for (let i = 0; i < size; i++) this.#endsBefore[i + 1] = Math.max(this.#endsBefore[i]!, spans[i]!.end);
    for (let i = size - 1; i >= 0; i--) this.#endsFrom[i] = Math.min(this.#endsFrom[i + 1]!, spans[i]!.end);
  }

  /** Returns whether `span` has the relation to one of the intervals; those with `not_`: to none of them. */
  relate(relation: IntervalRelation, span: Span): boolean {
    switch (relation) {
      case 'before':
        return firstFrom(this.#spans, span.end) < this.#spans.length;
      case 'after':
        return this.#endsFrom[0]! <= span.start;
      case 'containing':
        return this.#isAround(span);
      case 'not_containing':
        return !this.#isAround(span);
      case 'contained_by':
        return this.#isWithin(span);
      case 'not_contained_by':
        return !this.#isWithin(span);
      case 'overlapping':
        return this.#overlaps(span);
      case 'not_overlapping':
        return !this.#overlaps(span);
    }
  }

  #isAround({ start, end }: Span): boolean {
    return this.#endsFrom[firstFrom(this.#spans, start)]! <= end;
  }

  #isWithin({ start, end }: Span): boolean {
    return this.#endsBefore[firstFrom(this.#spans, start + 1)]! >= end;
  }

  #overlaps({ start, end }: Span): boolean {
    return this.#endsBefore[firstFrom(this.#spans, end)]! > start;
  }
}
