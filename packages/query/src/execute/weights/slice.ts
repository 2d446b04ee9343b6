import { WINDOW_DOCS } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { bitSet } from '@shoal/segments';
import type { SegmentView } from '../../searcher.js';

/**
 * Weight of slice `id` of `max` disjoint slices of the documents. The slice depends on the sequence number alone: it is
 * the same on every copy and in every reader, whatever is indexed meanwhile.
 */
export function sliceWeight(plan: PlanOf<'slice'>, _context: WeightContext): Weight {
  return { matcher: (segment) => sliceMatcher(plan.id, plan.max, segment) };
}

function sliceMatcher(id: number, max: number, { reader, maxDoc }: SegmentView): Matcher | null {
  const column = reader.numbers('_seq_no');
  if (column === null) return null;
  const bits = bitSet(maxDoc);
  const values = new Float64Array(WINDOW_DOCS);
  for (let from = 0; from < maxDoc; from += WINDOW_DOCS) {
    const to = Math.min(from + WINDOW_DOCS, maxDoc);
    column.readRange(from, to, values);
    for (let doc = from; doc < to; doc++) if (sliceOf(values[doc - from]!, max) === id) bits.set(doc);
  }
  return new BitSetMatcher(bits, 0);
}

/**
 * Returns the slice of an operation by multiplicative hashing (Knuth), so that neighbouring operations spread over the
 * slices. Returns -1 for a document without a number.
 */
function sliceOf(seqNo: number, max: number): number {
  return Number.isNaN(seqNo) ? -1 : (Math.imul(seqNo, 0x9e3779b1) >>> 8) % max;
}
