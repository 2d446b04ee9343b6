import { WINDOW_DOCS } from '@shoal/segments';
import { type Scratch, requestScratch } from '../execute/scratch.js';
import { createWeight } from '../execute/weight.js';
import { keepBits } from '../execute/window.kernel.js';
import type { Weight } from '../matcher.js';
import type { JoinedDocuments } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import type { Progress, Searcher, SegmentView } from '../searcher.js';
import { TopScores, type TopDocs } from '../top-docs/top-scores.js';
import { TopSorted } from '../top-docs/top-sorted.js';
import { windowEnd } from '../execute/matchers/gather.js';
import type { InnerSort } from './inner-sort.js';

/** The best of the documents that a hit is joined with. */
export interface JoinedMatches {
  readonly top: TopDocs;
  readonly total: number;
  /** Score of the best of all; -Infinity if there is none. */
  readonly maxScore: number;
}

/** Finds the matches of a query among the documents that a hit is joined with. */
export interface JoinedSearch {
  readonly searcher: Searcher;
  readonly joined: JoinedDocuments;
  /** Weight of the query of the inner hits, which scores. */
  readonly weight: Weight;
  readonly sort: InnerSort | null;
  /** Number of documents to find: `from` and `size` of the inner hits. */
  readonly size: number;
  readonly progress: Progress;
}

/** Returns the best matches of a joined search for the hit `doc` of a segment, whose id is `id`. */
export async function joinedMatches(
  search: JoinedSearch,
  segment: SegmentView,
  doc: number,
  id: string,
): Promise<JoinedMatches> {
  const plan = documentsOf(search.joined, segment, doc, id);
  const found = newCollector(search);
  if (plan === null) return found.take();
  const candidates = createWeight(plan, search.searcher, { needsScores: false });
  const docs = new Int32Array(WINDOW_DOCS);
  for (const view of search.searcher.segments) {
    const matcher = candidates.matcher(view, false);
    const own = matcher === null ? null : search.weight.matcher(view, true);
    if (matcher === null || own === null) continue;
    found.start(view);
    for (let from = matcher.next(0); from < view.maxDoc; from = matcher.next(windowEnd(from, view.maxDoc))) {
      search.progress.check();
      if (search.progress.sliceOver()) await search.progress.yield();
      const count = matcher.window(from, windowEnd(from, view.maxDoc), docs, null);
      const live = view.live === null ? count : keepBits(view.live.words, docs, count, null, 1);
      const scores = new Float64Array(live);
      found.offer(docs, own.filter(docs, live, scores), scores);
    }
  }
  return found.take();
}

/** The documents of the relation that a hit is joined with; null if it is joined with none. */
function documentsOf(
  { field, relationField, relation, of }: JoinedDocuments,
  { reader }: SegmentView,
  doc: number,
  id: string,
): Plan | null {
  if (of === 'children') {
    const filter: Plan[] = [
      { kind: 'term', field, term: id, boost: 1 },
      { kind: 'term', field: relationField, term: relation, boost: 1 },
    ];
    return { kind: 'bool', must: [], filter, should: [], mustNot: [], minimumShouldMatch: 0, boost: 1 };
  }
  const column = reader.ordinals(field);
  const ordinal = new Int32Array(1).fill(-1);
  column?.read(Int32Array.of(doc), 1, ordinal);
  return column === null || ordinal[0]! < 0 ? null : { kind: 'ids', ids: [column.term(ordinal[0]!)], boost: 1 };
}

interface Collector {
  start(view: SegmentView): void;
  offer(docs: Int32Array, count: number, scores: Float64Array): void;
  take(): JoinedMatches;
}

function newCollector({ searcher, sort, size }: JoinedSearch): Collector {
  const scratch: Scratch | null = sort === null ? null : requestScratch(searcher.cache);
  const sorted = sort === null || scratch === null ? null : new TopSorted(sort.keys, size, null, scratch);
  const best = new TopScores(size);
  let base = 0;
  let total = 0;
  let maxScore = -Infinity;
  return {
    start(view) {
      base = view.docBase;
      sorted?.start(view);
    },
    offer(docs, count, scores) {
      total += count;
      for (let i = 0; i < count; i++) maxScore = Math.max(maxScore, scores[i]!);
      if (sorted === null) best.offer(docs, scores, count, base);
      else sorted.offer(docs, scores, count);
    },
    take() {
      const top = sorted === null ? best.take() : sorted.take();
      scratch?.release();
      return { top, total, maxScore };
    },
  };
}
