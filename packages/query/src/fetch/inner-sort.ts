import { WINDOW_DOCS } from '@shoal/segments';
import type { ParseContext } from '../parsed-query.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { bindSort } from '../sort/bind-sort.js';
import { parseSort } from '../sort/parse-sort.js';
import { isByScore } from '../sort/sort-spec.js';
import { sortNumbers, sortText } from './sort-text.js';

/** Sorted matches of one parent. */
export interface InnerOrder {
  /** Indices into the matches, first to last. */
  readonly order: readonly number[];
  /** Returns the sort values of match `i` as JSON text. */
  text(i: number): string;
}

/** Sorts nested documents of one segment; `docs` ascend. */
export type InnerSort = (segment: SegmentView, docs: Int32Array, scores: Float64Array) => InnerOrder;

/** Binds `sort` of inner_hits to the documents of a nested path; null for the order by score. */
export function innerSort(
  sort: unknown,
  path: string,
  searcher: Searcher,
  now: () => number,
  parse: ParseContext,
): InnerSort | null {
  const specs = parseSort(sort, parse);
  if (isByScore(specs)) return null;
  const keys = bindSort(specs, { searcher, now, nestedPath: path, innerHits: [] });
  const numbers = sortNumbers(specs, searcher.mapping);
  return (segment, docs, scores) => {
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
  };
}
