import {
  type BitSet,
  ColumnNearness,
  GraphWalk,
  type HeldRows,
  NearestRows,
  type VectorColumn,
  type VectorGraph,
  type WalkResults,
} from '@shoal/segments';
import { NearestHeap } from './nearest-heap.js';

/** Which documents of a segment may be found, by row. */
export interface RowFilter {
  /** Document of a row. */
  docOf(row: number): number;
  /** The document itself, or the one around a nested object. */
  groupOf(doc: number): number;
  readonly live: BitSet | null;
  /** Matches of the filter among groups; null for all. */
  readonly matches: BitSet | null;
  readonly isNested: boolean;
}

const accepts = ({ docOf, groupOf, live, matches }: RowFilter, row: number): boolean => {
  const doc = docOf(row);
  return (live === null || live.get(doc)) && (matches === null || matches.get(groupOf(doc)));
};

/** Rows that a walk has found. */
interface FoundRows extends WalkResults {
  /** Takes the rows, nearest first; with `least` those that may be among so many nearest suffice. */
  take(least?: number): Int32Array;
}

/** The nearest rows, at most one of each document around nested objects. */
class NearestGroups implements FoundRows {
  readonly #heap: NearestHeap;
  readonly #filter: RowFilter;

  constructor(limit: number, filter: RowFilter) {
    this.#heap = new NearestHeap(limit);
    this.#filter = filter;
  }

  bound(): number {
    return this.#heap.leastScore();
  }

  offer(row: number, near: number): void {
    if (!this.#heap.mayEnter(near) || !accepts(this.#filter, row)) return;
    this.#heap.offer(row, this.#filter.groupOf(this.#filter.docOf(row)), near);
  }

  take(): Int32Array {
    return Int32Array.from(this.#heap.entries(), ({ doc }) => doc);
  }
}

/** The part of the rows of a segment that a walk compares. */
export interface WalkLimits {
  /** Candidates that a walk keeps. */
  readonly candidates: number;
  /** Rows to find at least, if the filter takes so many. */
  readonly least: number;
  /** Rows of a graph that may be found in the end; null if nearness does not tell them. */
  readonly kept: number | null;
  /** Rows to compare at most: beyond, comparing all rows that the filter takes is faster. */
  readonly visits: number;
}

/** Walks through all graphs of a segment, one after the other, in steps. */
export class NearestWalk {
  /** Rows that were compared. */
  visited = 0;
  readonly #column: VectorColumn;
  readonly #graphs: readonly VectorGraph[];
  readonly #near: ColumnNearness;
  readonly #filter: RowFilter;
  readonly #limits: WalkLimits;
  #next = 0;
  #current: { readonly walk: GraphWalk; readonly results: FoundRows } | null = null;
  readonly #found: Int32Array[] = [];

  constructor(column: VectorColumn, vector: Uint8Array, memory: HeldRows, filter: RowFilter, limits: WalkLimits) {
    this.#column = column;
    this.#graphs = column.graphs!;
    this.#near = new ColumnNearness(column, memory, vector);
    this.#filter = filter;
    this.#limits = limits;
  }

  /**
   * Compares about `rows` rows. Returns the rows that were found once all graphs are through, null before; and 'lost'
   * if all rows have to be compared instead, since the filter leaves too few or the graph does not reach enough.
   */
  step(rows: number): Int32Array | null | 'lost' {
    const { walk, results } = (this.#current ??= this.#begin(this.#graphs[this.#next++]!));
    const before = walk.visited;
    const isMore = walk.step(rows);
    this.visited += walk.visited - before;
    if (this.visited > this.#limits.visits) return 'lost';
    if (isMore) return null;
    this.#found.push(results.take(this.#limits.kept ?? undefined));
    this.#current = null;
    if (this.#next < this.#graphs.length) return null;
    const found = this.#found.reduce((sum, { length }) => sum + length, 0);
    return found < this.#limits.least ? 'lost' : this.#join(found);
  }

  #begin(graph: VectorGraph): { readonly walk: GraphWalk; readonly results: FoundRows } {
    const filter = this.#filter;
    const { candidates } = this.#limits;
    const isOpen = filter.live === null && filter.matches === null;
    const results = filter.isNested
      ? new NearestGroups(candidates, filter)
      : new NearestRows(candidates, isOpen ? null : (row) => accepts(filter, row));
    return { walk: new GraphWalk(graph, this.#near, results), results };
  }

  #join(count: number): Int32Array {
    const all = new Int32Array(count);
    let at = 0;
    for (const rows of this.#found) {
      all.set(rows, at);
      at += rows.length;
    }
    return all.subarray(0, Math.min(count, this.#column.docsWithField));
  }
}
