import { WINDOW_DOCS } from '@shoal/segments';
import type { ParseContext } from '../parsed-query.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { bindSort } from '../sort/bind-sort.js';
import { parseSort } from '../sort/parse-sort.js';
import type { SortKey } from '../sort/sort-key.js';
import { isByScore } from '../sort/sort-spec.js';
import { sortNumbers, sortText } from './sort-text.js';

/** Sorted matches of one parent. */
export interface InnerOrder {
  /** Indices into the matches, first to last. */
  readonly order: readonly number[];
  /** Returns the sort values of match `i` as JSON text. */
  text(i: number): string;
}

/** A sort of inner hits. */
export interface InnerSort {
  readonly keys: readonly SortKey[];
  /** Sorts documents of one segment; `docs` ascend. */
  within(segment: SegmentView, docs: Int32Array, scores: Float64Array): InnerOrder;
  /** Returns the sort values of one document of a segment as JSON text. */
  text(segment: SegmentView, doc: number, score: number): string;
}

/** Binds `sort` of inner_hits to the documents of a nested path, or to root documents; null for the order by score. */
export function innerSort(
  sort: unknown,
  path: string | null,
  searcher: Searcher,
  now: () => number,
  parse: ParseContext,
): InnerSort | null {
  const specs = parseSort(sort, parse);
  if (isByScore(specs)) return null;
  const keys = bindSort(specs, { searcher, now, nestedPath: path, innerHits: [] });
  const numbers = sortNumbers(specs, searcher.mapping);
  return {
    keys,
    within: (segment, docs, scores) => orderOf(keys, numbers, segment, docs, scores),
    text: (segment, doc, score) =>
      sortText(
        keys.map((key) => key.segment(segment).value(doc, score)),
        numbers,
      ),
  };
}

function orderOf(
  keys: readonly SortKey[],
  numbers: ReturnType<typeof sortNumbers>,
  segment: SegmentView,
  docs: Int32Array,
  scores: Float64Array,
): InnerOrder {
  const bound = keys.map((key) => key.segment(segment));
  const columns = keys.flatMap((key, k) =>
    Array.from({ length: key.slots }, (_, slot) => {
      const column = new Float64Array(Math.max(docs.length, WINDOW_DOCS));
      bound[k]!.read(slot, docs, docs.length, scores, column);
      return column;
    }),
  );
  const compare = (a: number, b: number): number => {
    for (const column of columns) if (column[a] !== column[b]) return column[a]! < column[b]! ? -1 : 1;
    return a - b;
  };
  return {
    order: Array.from(docs, (_, i) => i).sort(compare),
    text: (i) =>
      sortText(
        bound.map((key) => key.value(docs[i]!, scores[i]!)),
        numbers,
      ),
  };
}
