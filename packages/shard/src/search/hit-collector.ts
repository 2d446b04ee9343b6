import type { SegmentView } from '@shoal/query';
import { type PageStart, type Scratch, type SortKey, type TopDocs, TopScores, TopSorted } from '@shoal/query';
import type { WindowPromise } from './walk-order.js';

/** Collects the best hits among the matches of a shard. */
export interface HitCollector {
  readonly needsScores: boolean;
  start(view: SegmentView): void;
  /** Offers live documents of the segment, ascending. */
  offer(docs: Int32Array, scores: Float64Array | null, count: number): void;
  /** Returns whether no document of the block around `doc` can become a hit. */
  rulesOut(doc: number): boolean;
  /**
   * Where segments and their windows may be offered in any order: how many hits are wanted, and what the windows of a
   * segment promise; null if nothing is known of them.
   */
  readonly anyOrder?: { readonly size: number; readonly promise: (view: SegmentView) => WindowPromise | null };
  /**
   * Returns the score that a document must reach to become a hit from here on; 0 while any score may, or hits are not
   * ordered by score.
   */
  minScore(): number;
  take(): TopDocs;
}

/** Returns the next larger float. */
function nextFloat(score: number): number {
  const float = Float32Array.of(score);
  const bits = new Int32Array(float.buffer);
  bits[0]!++;
  return float[0]!;
}

/**
 * Returns a collector of hits by score. `after`, for later pages of a scroll, has the score and document of the last
 * hit of the page before.
 */
export function scoreCollector(size: number, after: PageStart | null): HitCollector {
  const top = new TopScores(size);
  let base = 0;
  const keptDocs: { docs: Int32Array; scores: Float64Array } | null =
    after === null ? null : { docs: new Int32Array(4096), scores: new Float64Array(4096) };
  return {
    needsScores: size > 0,
    start: (view) => {
      base = view.docBase;
    },
    offer(docs, scores, count) {
      if (keptDocs === null || after === null) top.offer(docs, scores!, count, base);
      else top.offer(keptDocs.docs, keptDocs.scores, keepAfter(docs, scores!, count, base, after, keptDocs), base);
    },
    rulesOut: () => size === 0,
    minScore: () => (top.isFull && top.worst > 0 ? nextFloat(top.worst) : 0),
    take: () => top.take(),
  };
}

function keepAfter(
  docs: Int32Array,
  scores: Float64Array,
  count: number,
  base: number,
  after: PageStart,
  into: { docs: Int32Array; scores: Float64Array },
): number {
  const last = Number(after.values[0]);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const isAfter = scores[i]! < last || (scores[i] === last && base + docs[i]! > (after.doc ?? Infinity));
    if (!isAfter) continue;
    into.docs[kept] = docs[i]!;
    into.scores[kept++] = scores[i]!;
  }
  return kept;
}

/** Returns a collector of hits by sort keys. */
export function sortCollector(
  keys: readonly SortKey[],
  size: number,
  after: PageStart | null,
  trackScores: boolean,
  scratch: Scratch,
): HitCollector {
  const top = new TopSorted(keys, size, after, scratch);
  return {
    needsScores: size > 0 && (trackScores || top.needsScores),
    start: (view) => top.start(view),
    offer: (docs, scores, count) => top.offer(docs, scores, count),
    rulesOut: (doc) => top.rulesOut(doc),
    anyOrder: { size, promise: (view) => top.promise(view) },
    minScore: () => 0,
    take: () => top.take(),
  };
}
