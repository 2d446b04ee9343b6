import {
  type BitSet,
  compareWith,
  NO_MORE_DOCS,
  type SimdRows,
  simdRows,
  type VectorColumn,
  type VectorComparison,
  type VectorRows,
  VectorRowCache,
  vectorsOf,
} from '@shoal/segments';
import type { Weight } from '../matcher.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { collectBits } from './matchers/gather.js';
import { chooseCandidates, estimateRecall } from './choose-candidates.js';
import { NearestHeap } from './nearest-heap.js';
import { NearestWalk, type RowFilter } from './nearest-walk.js';
import { matchingDocs } from './matching-docs.js';
import type { PlanOf } from './plan-of.js';

/** Elements that are compared in one step: about a millisecond. */
const STEP_ELEMENTS = 1 << 20;
/** Rows that a piece has at most: of vectors with one dimension in a chunk. */
const PIECE_ROWS_MAX = 8192;
/** Comparing all rows of a piece at once takes less than half the time: worth it from this part of matches on. */
const SIMD_PART_MIN = 0.5;
/** Elements of a segment below which a module need not be made for it. */
const SIMD_ELEMENTS_MIN = 1 << 19;
/** Time to compare a row that a walk comes by, in those of a row among all: with loops for all rows, and one by one. */
const WALK_COST = { all: 6, filtered: 1.5 } as const;
/** Rows that a walk compares for each candidate and link of a node. */
const VISITS_A_LINK = 1.2;
/** Rows that a step of a walk compares at least. */
const WALK_ROWS_MIN = 64;
/** Part of the rows after which a walk that goes on and on is given up. */
const VISITS_MAX_FACTOR = 4;
/** Memory of the rows of a search without a shard. */
const OWN_ROWS_BYTES = 1 << 20;
/** Memory of the loops and their module. */
const SIMD_BYTES = 224 * 1024;

/** Documents of one segment, ascending, and their scores without the boost. */
export interface NearestDocs {
  readonly docs: Int32Array;
  readonly scores: Float32Array;
}

/** Makes documents of a segment of those of the shard from one place to another. */
function docsOf(
  all: readonly { readonly doc: number; readonly score: number }[],
  from: number,
  end: number,
  docBase: number,
): NearestDocs {
  const docs = new Int32Array(end - from);
  const scores = new Float32Array(end - from);
  for (let i = from; i < end; i++) {
    docs[i - from] = all[i]!.doc - docBase;
    scores[i - from] = all[i]!.score;
  }
  return { docs, scores };
}

/** Vectors of a segment, with the documents among which the search chooses. */
interface Candidates {
  readonly view: SegmentView;
  readonly column: VectorColumn;
  readonly filter: RowFilter;
  /** Set if all rows of a piece are compared at once. */
  readonly simd: SimdRows | null;
  /** Returns the first document from one on that the filter takes, if these are fewer than the rows. */
  readonly nextTaken: ((from: number) => number) | null;
  /** The walk through the graphs; null if all rows are compared. */
  walk: NearestWalk | null;
  /** Candidates of the walk. */
  readonly width: number;
}

/** How a search has found its documents. */
export interface NearestReport {
  /** Vectors that were compared. */
  compared: number;
  /** Segments of which all vectors were compared, and those with a walk through their graphs. */
  exactSegments: number;
  walkedSegments: number;
  /** Candidates of the widest walk. */
  candidates: number;
  /** Estimated share of the nearest documents that were found; null if no measurement tells. */
  recall: number | null;
}

/**
 * Finds the vectors of a shard that are nearest to a vector, in steps. A segment with graphs is walked through. If it
 * has none, or the filter leaves few of its documents, its vectors are compared one after the other.
 */
export class NearestSearch {
  readonly #plan: PlanOf<'nearest'>;
  readonly #filter: Weight | null;
  readonly #segments: readonly SegmentView[];
  readonly #comparison: VectorComparison;
  readonly #heap: NearestHeap;
  #next = 0;
  #current: Candidates | null = null;
  /** The next row to compare, or the next document if documents are looked up by the filter. */
  #at = 0;
  /** Scores of the rows of one piece; made when all rows of a piece are compared at once. */
  #scores: Float64Array | null = null;
  readonly #simd: () => SimdRows;
  readonly #rowCache: () => VectorRowCache;
  readonly report: NearestReport = { compared: 0, exactSegments: 0, walkedSegments: 0, candidates: 0, recall: 1 };
  /** Vectors of the segments that were searched, and those of them that count as found. */
  #rows = 0;
  #foundRows = 0;
  #found: ReadonlyMap<SegmentView, NearestDocs> | null = null;

  constructor(plan: PlanOf<'nearest'>, filter: Weight | null, { segments, cache }: Searcher) {
    this.#simd = () => cache.get('simd rows', () => ({ value: simdRows(), bytes: SIMD_BYTES }));
    this.#rowCache = () => cache.vectorRows ?? new VectorRowCache(OWN_ROWS_BYTES);
    this.#plan = plan;
    this.#filter = filter;
    this.#segments = segments;
    this.#comparison = compareWith(plan.vector, plan.layout.vectors!);
    this.#heap = new NearestHeap(plan.k);
  }

  /** Does a part of the search; returns whether more is left. */
  step(): boolean {
    if (this.#found !== null) return false;
    if (this.#current === null) {
      if (this.#next === this.#segments.length) {
        this.#found = this.#results();
        return false;
      }
      this.#current = this.#open(this.#segments[this.#next++]!);
      this.#at = 0;
      return true;
    }
    const { walk, nextTaken } = this.#current;
    if (walk !== null) this.#walk(this.#current, walk);
    else if (nextTaken !== null) this.#compareTaken(this.#current, nextTaken);
    else this.#compare(this.#current);
    return true;
  }

  /** Returns what was found in a segment; ends the search first if it has not ended. */
  found(view: SegmentView): NearestDocs | null {
    while (this.step());
    return this.#found!.get(view) ?? null;
  }

  #open(view: SegmentView): Candidates | null {
    const column = vectorsOf(view.reader, this.#plan.layout);
    if (column === null || column.docsWithField === 0) return null;
    const filter = this.#filter === null ? null : this.#filter.matcher(view, false);
    if (filter === null && this.#filter !== null) return null;
    const matches = filter === null ? null : collectBits(filter, view.maxDoc);
    const count = matches?.cardinality() ?? view.maxDoc;
    if (count === 0) return null;
    const isLarge = column.docsWithField * column.layout.dims >= SIMD_ELEMENTS_MIN;
    const isMany = count >= view.maxDoc * SIMD_PART_MIN;
    const simd = isMany && isLarge && this.#comparison.scoreAll !== null ? this.#simd() : null;
    const rows = this.#rowFilter(view, column, matches);
    const width = this.#width(column);
    const walk = width === null ? null : this.#beginWalk(view, column, rows, count, width);
    this.#rows += column.docsWithField;
    const isFew = matches !== null && simd === null && count < column.docsWithField;
    const nextTaken = isFew ? matchingDocs(matches, this.#plan.isNested ? view.reader.roots : null) : null;
    return { view, column, filter: rows, simd, nextTaken, walk, width: width ?? 0 };
  }

  #rowFilter({ live, reader }: SegmentView, column: VectorColumn, matches: BitSet | null): RowFilter {
    const docs = column.docsOfRows();
    const roots = this.#plan.isNested ? reader.roots : null;
    return {
      docOf: docs === null ? (row) => row : (row) => docs[row]!,
      groupOf: roots === null ? (doc) => doc : (doc) => roots.next(doc),
      live,
      matches,
      isNested: roots !== null,
    };
  }

  /** Candidates of walks through the graphs of a column; null if all rows are to be compared. */
  #width(column: VectorColumn): number | null {
    const { isExact, recall, k, candidates } = this.#plan;
    if (isExact || (column.graphs ?? []).length === 0) return null;
    return recall === null ? Math.max(k, candidates) : chooseCandidates(column, recall, k);
  }

  /** Returns a walk, unless comparing all rows that the filter takes is faster. */
  #beginWalk(
    view: SegmentView,
    column: VectorColumn,
    filter: RowFilter,
    count: number,
    candidates: number,
  ): NearestWalk | null {
    const { graphs } = column;
    const groups = filter.isNested ? view.reader.roots!.cardinality() : view.maxDoc;
    const part = filter.matches === null ? 1 : Math.min(1, count / groups);
    const taken = column.docsWithField * part;
    const visits = (graphs!.length * candidates * graphs![0]!.m * VISITS_A_LINK) / part;
    const cost = filter.matches === null ? WALK_COST.all : WALK_COST.filtered;
    if (visits * cost >= taken) return null;
    // Deleted documents and those of other groups may leave fewer than asked for: then all are compared.
    const least = Math.min(this.#plan.k, candidates, taken);
    const kept = column.quantised || column.layout.similarity === 'max_inner_product' ? null : this.#plan.k;
    const limits = { candidates, least, kept, visits: Math.max(visits * VISITS_MAX_FACTOR, taken) };
    return new NearestWalk(column, this.#plan.vector, this.#rowCache().of(column), filter, limits);
  }

  /** Goes on with a walk; at its end its rows are compared exactly. */
  #walk(candidates: Candidates, walk: NearestWalk): void {
    const { column, view, filter, width } = candidates;
    const before = walk.visited;
    const rows = walk.step(Math.max(WALK_ROWS_MIN, STEP_ELEMENTS / WALK_COST.all / column.layout.dims));
    this.report.compared += walk.visited - before;
    if (rows === null) return;
    if (rows === 'lost') {
      candidates.walk = null;
      return;
    }
    rows.sort();
    for (const row of rows) {
      const doc = filter.docOf(row);
      const score = this.#comparison.score(column.rows(row), row);
      if (this.#heap.mayEnter(score)) this.#heap.offer(view.docBase + doc, view.docBase + filter.groupOf(doc), score);
    }
    this.report.walkedSegments++;
    this.report.candidates = Math.max(this.report.candidates, width);
    const recall = estimateRecall(column, width, this.#plan.k);
    this.#foundRows += column.docsWithField * (recall ?? Number.NaN);
    this.#current = null;
  }

  /** Compares the rows of whole pieces until a step is full. */
  #compare(candidates: Candidates): void {
    const { column } = candidates;
    for (let elements = 0; elements < STEP_ELEMENTS && this.#at < column.docsWithField; ) {
      const rows = column.rows(this.#at);
      this.#comparePiece(candidates, rows);
      this.#at = rows.first + rows.count;
      elements += rows.count * column.layout.dims;
      this.report.compared += rows.count;
    }
    if (this.#at >= column.docsWithField) this.#endExact(column);
  }

  /** Compares the vectors of the documents that the filter takes until a step is full. */
  #compareTaken({ view: { docBase }, column, filter }: Candidates, nextTaken: (from: number) => number): void {
    const { live } = filter;
    const heap = this.#heap;
    let doc = nextTaken(this.#at);
    for (let elements = 0; elements < STEP_ELEMENTS && doc !== NO_MORE_DOCS; doc = nextTaken(doc + 1)) {
      elements += column.layout.dims;
      const row = live === null || live.get(doc) ? column.rowOf(doc) : -1;
      if (row < 0) continue;
      this.report.compared++;
      const score = this.#comparison.score(column.rows(row), row);
      if (heap.mayEnter(score)) heap.offer(docBase + doc, docBase + filter.groupOf(doc), score);
    }
    this.#at = doc;
    if (doc === NO_MORE_DOCS) this.#endExact(column);
  }

  #endExact(column: VectorColumn): void {
    this.report.exactSegments++;
    this.#foundRows += column.docsWithField;
    this.#current = null;
  }

  #comparePiece({ view: { docBase }, filter, simd }: Candidates, rows: VectorRows): void {
    const { live, matches } = filter;
    const comparison = this.#comparison;
    const heap = this.#heap;
    const scores = simd === null ? null : (this.#scores ??= new Float64Array(PIECE_ROWS_MAX));
    if (scores !== null) comparison.scoreAll!(rows, simd!, scores);
    for (let i = 0; i < rows.count; i++) {
      const row = rows.first + i;
      if (scores !== null && !heap.mayEnter(scores[i]!)) continue;
      const doc = filter.docOf(row);
      if (live !== null && !live.get(doc)) continue;
      const group = filter.groupOf(doc);
      if (matches !== null && !matches.get(group)) continue;
      const score = scores === null ? comparison.score(rows, row) : scores[i]!;
      if (heap.mayEnter(score)) heap.offer(docBase + doc, docBase + group, score);
    }
  }

  #results(): ReadonlyMap<SegmentView, NearestDocs> {
    const recall = this.#rows === 0 ? 1 : this.#foundRows / this.#rows;
    this.report.recall = Number.isNaN(recall) ? null : recall;
    const { similarity } = this.#plan;
    const least = similarity === null ? 0 : this.#comparison.scoreOf(similarity);
    const near = this.#heap.entries().filter(({ score }) => score >= least);
    const sorted = near.sort((a, b) => a.doc - b.doc).slice(0, this.#plan.first ?? near.length);
    const bySegment = new Map<SegmentView, NearestDocs>();
    let from = 0;
    for (const view of this.#segments) {
      let end = from;
      while (end < sorted.length && sorted[end]!.doc < view.docBase + view.maxDoc) end++;
      if (end > from) bySegment.set(view, docsOf(sorted, from, end, view.docBase));
      from = end;
    }
    return bySegment;
  }
}
