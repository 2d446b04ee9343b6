import type { SegmentView } from '@shoal/query';
import { WINDOW_DOCS } from '@shoal/segments';

/** Windows of a segment that are walked together. */
export interface WalkPart {
  readonly view: SegmentView;
  /** Ascending runs of neighbouring windows: the first document of each run, and the one behind it. */
  readonly runs: readonly (readonly [from: number, to: number])[];
}

/**
 * Returns a number for the window that begins at a document: no document of it sorts before that number; Infinity if
 * none of them can become a hit.
 */
export type WindowPromise = (doc: number) => number;

/** Each tier has this many times the windows of the one before. */
const TIER_GROWTH = 4;

/** All windows of a segment. */
export const wholeSegment = (view: SegmentView): WalkPart => ({ view, runs: [[0, view.maxDoc]] });

/**
 * Returns the windows of segments in tiers, the most promising ones first, so that hits found early rule out most of
 * the others: those that were indexed last, where the latest come first. Tiers grow, because a matcher is made for each
 * segment of each, and matchers go forward only. Null if the windows are in the best order as they are.
 *
 * `hits`: how many hits are wanted. `promiseOf` returns null if nothing is known.
 */
export function walkOrder(
  segments: readonly SegmentView[],
  hits: number,
  promiseOf: (view: SegmentView) => WindowPromise | null,
): WalkPart[] | null {
  const first = Math.ceil(hits / WINDOW_DOCS) + 1;
  const windows = segments.reduce((sum, view) => sum + Math.ceil(view.maxDoc / WINDOW_DOCS), 0);
  if (windows < first * (1 + TIER_GROWTH)) return null;
  const promises = promisesOf(segments, windows, promiseOf);
  if (promises === null || isAscending(promises)) return null;
  const order = Int32Array.from(promises.keys()).sort((a, b) => compare(promises[a]!, promises[b]!) || a - b);
  const parts: WalkPart[] = [];
  for (let from = 0, size = first; from < windows; from += size, size *= TIER_GROWTH)
    parts.push(...partsOf(segments, order.subarray(from, from + size).sort()));
  return parts;
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

function promisesOf(
  segments: readonly SegmentView[],
  windows: number,
  promiseOf: (view: SegmentView) => WindowPromise | null,
): Float64Array | null {
  const promises = new Float64Array(windows);
  let at = 0;
  for (const view of segments) {
    const promise = promiseOf(view);
    if (promise === null) return null;
    for (let doc = 0; doc < view.maxDoc; doc += WINDOW_DOCS) promises[at++] = promise(doc);
  }
  return promises;
}

function isAscending(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) return false;
  return true;
}

/** Groups ascending windows, numbered over all segments, by segment and run. */
function partsOf(segments: readonly SegmentView[], windows: Int32Array): WalkPart[] {
  const parts: WalkPart[] = [];
  let base = 0;
  let i = 0;
  for (const view of segments) {
    const end = base + Math.ceil(view.maxDoc / WINDOW_DOCS);
    const runs: [number, number][] = [];
    for (; i < windows.length && windows[i]! < end; i++) {
      const from = (windows[i]! - base) * WINDOW_DOCS;
      const to = Math.min(from + WINDOW_DOCS, view.maxDoc);
      const last = runs.at(-1);
      if (last?.[1] === from) last[1] = to;
      else runs.push([from, to]);
    }
    if (runs.length > 0) parts.push({ view, runs });
    base = end;
  }
  return parts;
}
