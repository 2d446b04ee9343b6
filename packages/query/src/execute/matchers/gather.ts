import { type BitSet, bitSet, NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import type { Scratch } from '../scratch.js';
import { countPostings, markPostings, sumScores } from '../score.kernel.js';
import { addMatching } from '../window.kernel.js';

/** The end of the window that begins at `from`: the next multiple of WINDOW_DOCS, or `maxDoc`. */
export function windowEnd(from: number, maxDoc: number): number {
  return Math.min(from - (from % WINDOW_DOCS) + WINDOW_DOCS, maxDoc);
}

/** Buffers for one window of documents and scores. */
export interface WindowBuffer {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/** Returns buffers with undefined content, borrowed from `scratch` if there is one. */
export function windowBuffer(scratch?: Scratch): WindowBuffer {
  if (scratch !== undefined) return { docs: scratch.ints(WINDOW_DOCS), scores: scratch.numbers(WINDOW_DOCS) };
  return { docs: new Int32Array(WINDOW_DOCS), scores: new Float64Array(WINDOW_DOCS) };
}

/** Runs `accumulate` of a matcher, or the same by its `window` if the matcher has no `accumulate`. */
export function accumulate(
  matcher: Matcher,
  from: number,
  to: number,
  sums: Float64Array | null,
  words: Int32Array,
  counts: Uint8Array | null,
  buffer: WindowBuffer,
): void {
  if (matcher.accumulate !== undefined) {
    matcher.accumulate(from, to, sums, words, counts);
    return;
  }
  const count = matcher.window(from, to, buffer.docs, sums === null ? null : buffer.scores);
  if (sums !== null) sumScores(buffer.docs, buffer.scores, count, from, sums, words);
  else markPostings(buffer.docs, 0, count, from, words);
  if (counts !== null) countPostings(buffer.docs, 0, count, from, counts);
}

/** Runs `add` of a matcher, or the same by its `filter` if the matcher has no `add`. */
export function addScores(
  matcher: Matcher,
  docs: Int32Array,
  count: number,
  scores: Float64Array,
  buffer: WindowBuffer,
): void {
  if (matcher.add !== undefined) {
    matcher.add(docs, count, scores);
    return;
  }
  for (let i = 0; i < count; i++) buffer.docs[i] = docs[i]!;
  buffer.scores.fill(0, 0, count);
  const matched = matcher.filter(buffer.docs, count, buffer.scores);
  addMatching(docs, count, scores, buffer.docs, buffer.scores, matched);
}

/** All matches of a segment as bits. */
export function collectBits(matcher: Matcher, maxDoc: number): BitSet {
  const bits = bitSet(maxDoc);
  const docs = new Int32Array(WINDOW_DOCS);
  let from = matcher.next(0);
  while (from < maxDoc && from !== NO_MORE_DOCS) {
    const to = windowEnd(from, maxDoc);
    const count = matcher.window(from, to, docs, null);
    markPostings(docs, 0, count, 0, bits.words);
    from = to < maxDoc ? matcher.next(to) : NO_MORE_DOCS;
  }
  return bits;
}
