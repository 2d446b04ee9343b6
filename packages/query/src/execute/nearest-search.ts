import {
  type BitSet,
  compareWith,
  type SimdRows,
  simdRows,
  type VectorColumn,
  type VectorComparison,
  type VectorRows,
  vectorsOf,
} from '@shoal/segments';
import type { Weight } from '../matcher.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { collectBits } from './matchers/gather.js';
import { NearestHeap } from './nearest-heap.js';
import type { PlanOf } from './plan-of.js';

/** Elements that are compared in one step: about a millisecond. */
const STEP_ELEMENTS = 1 << 20;
/** Rows that a piece has at most: of vectors with one dimension in a chunk. */
const PIECE_ROWS_MAX = 8192;
/** Comparing all rows of a piece at once takes less than half the time: worth it from this part of matches on. */
const SIMD_PART_MIN = 0.5;
/** Elements of a segment below which a module need not be made for it. */
const SIMD_ELEMENTS_MIN = 1 << 19;
/** Memory of the loops and their module. */
const SIMD_BYTES = 224 * 1024;

/** Documents of one segment, ascending, and their scores without the boost. */
export interface NearestDocs {
  readonly docs: Int32Array;
  readonly scores: Float32Array;
}

/** Vectors of a segment, with the documents among which the search chooses. */
interface Candidates {
  readonly view: SegmentView;
  readonly column: VectorColumn;
  /** Document of each row; null if the numbers are the same. */
  readonly docs: Int32Array | null;
  /** Matches of the filter; null for all. */
  readonly filter: BitSet | null;
  /** Set if all rows of a piece are compared at once. */
  readonly simd: SimdRows | null;
}

/**
 * Finds the vectors of a shard that are nearest to a vector, in steps. The vectors of a segment are compared one after
 * the other, in the order in which they lie.
 */
export class NearestSearch {
  readonly #plan: PlanOf<'nearest'>;
  readonly #filter: Weight | null;
  readonly #segments: readonly SegmentView[];
  readonly #comparison: VectorComparison;
  readonly #heap: NearestHeap;
  #next = 0;
  #current: Candidates | null = null;
  #row = 0;
  /** Scores of the rows of one piece. */
  readonly #scores = new Float64Array(PIECE_ROWS_MAX);
  readonly #simd: () => SimdRows;
  #found: ReadonlyMap<SegmentView, NearestDocs> | null = null;

  constructor(plan: PlanOf<'nearest'>, filter: Weight | null, { segments, cache }: Searcher) {
    this.#simd = () => cache.get('simd rows', () => ({ value: simdRows(), bytes: SIMD_BYTES }));
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
      this.#row = 0;
      return true;
    }
    this.#compare(this.#current);
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
    const isMany = matches === null || matches.cardinality() >= view.maxDoc * SIMD_PART_MIN;
    const isLarge = column.docsWithField * column.layout.dims >= SIMD_ELEMENTS_MIN;
    const simd = isMany && isLarge && this.#comparison.scoreAll !== null ? this.#simd() : null;
    return { view, column, docs: column.docsOfRows(), filter: matches, simd };
  }

  /** Compares the rows of whole pieces until a step is full. */
  #compare(candidates: Candidates): void {
    const { column } = candidates;
    for (let elements = 0; elements < STEP_ELEMENTS && this.#row < column.docsWithField; ) {
      const rows = column.rows(this.#row);
      this.#comparePiece(candidates, rows);
      this.#row = rows.first + rows.count;
      elements += rows.count * column.layout.dims;
    }
    if (this.#row === column.docsWithField) this.#current = null;
  }

  #comparePiece({ view, docs, filter, simd }: Candidates, rows: VectorRows): void {
    const { live, docBase, reader } = view;
    const roots = this.#plan.isNested ? reader.roots : null;
    const comparison = this.#comparison;
    const heap = this.#heap;
    if (simd !== null) comparison.scoreAll!(rows, simd, this.#scores);
    for (let i = 0; i < rows.count; i++) {
      const row = rows.first + i;
      if (simd !== null && !heap.mayEnter(this.#scores[i]!)) continue;
      const doc = docs === null ? row : docs[row]!;
      if (live !== null && !live.get(doc)) continue;
      const group = roots === null ? doc : roots.next(doc);
      if (filter !== null && !filter.get(group)) continue;
      const score = simd === null ? comparison.score(rows, row) : this.#scores[i]!;
      if (heap.mayEnter(score)) heap.offer(docBase + doc, docBase + group, score);
    }
  }

  #results(): ReadonlyMap<SegmentView, NearestDocs> {
    const { similarity } = this.#plan;
    const least = similarity === null ? 0 : this.#comparison.scoreOf(similarity);
    const all = this.#heap.entries().filter(({ score }) => score >= least);
    const bySegment = new Map<SegmentView, NearestDocs>();
    for (const view of this.#segments) {
      const own = all.filter(({ doc }) => doc >= view.docBase && doc < view.docBase + view.maxDoc);
      own.sort((a, b) => a.doc - b.doc);
      if (own.length === 0) continue;
      bySegment.set(view, {
        docs: Int32Array.from(own, ({ doc }) => doc - view.docBase),
        scores: Float32Array.from(own, ({ score }) => score),
      });
    }
    return bySegment;
  }
}
