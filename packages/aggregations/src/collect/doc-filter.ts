import type { Matcher, Scratch, SegmentView, Weight } from '@shoal/query';
import { roomForInts } from './growable.js';

/** Tells which documents of a window match a query. */
export interface DocFilter {
  segment(view: SegmentView): void;
  /** Matching documents among ascending `docs` (repeats allowed): written without repeats to `kept`; returns how many. */
  filter(docs: Int32Array, count: number): number;
  readonly kept: Int32Array;
}

/** Copies ascending documents without repeats. */
function distinct(docs: Int32Array, count: number, out: Int32Array): number {
  let size = 0;
  for (let i = 0; i < count; i++) if (size === 0 || out[size - 1] !== docs[i]) out[size++] = docs[i]!;
  return size;
}

/** A filter by a weight; calls must come with rising documents within a segment. */
export function docFilter(weight: Weight, scratch: Scratch | undefined): DocFilter {
  let matcher: Matcher | null = null;
  let kept: Int32Array<ArrayBuffer> = new Int32Array(0);
  return {
    segment(view) {
      matcher = weight.matcher(view, false);
    },
    filter(docs, count) {
      if (!matcher) return 0;
      kept = roomForInts(kept, count, scratch);
      return matcher.filter(kept, distinct(docs, count, kept), null);
    },
    get kept() {
      return kept;
    },
  };
}
