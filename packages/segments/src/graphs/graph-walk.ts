import type { VectorGraph } from '../segment-reader.js';
import { NodeHeap } from './node-heap.js';

/** Tells how near rows are to the query: a number that is larger for nearer ones. */
export interface RowNearness {
  /** Writes the nearness of the first `count` rows to `out`. */
  read(rows: Int32Array, count: number, out: Float32Array): void;
}

/** Takes the rows that a walk comes by. */
export interface WalkResults {
  /** Nearness that a row must exceed to be worth a visit; -Infinity while there is room. */
  bound(): number;
  /** Offers a row of the column. */
  offer(row: number, near: number): void;
}

/** Rounding of nearness at most: of products of vectors of length 1, and of distances relative to them. */
const ROUNDING_MAX = 1e-4;

/** The rows that are nearest, of those that are accepted. */
export class NearestRows implements WalkResults {
  readonly #heap: NodeHeap;
  readonly #limit: number;
  readonly #accepts: ((row: number) => boolean) | null;

  constructor(limit: number, accepts: ((row: number) => boolean) | null) {
    this.#heap = new NodeHeap('farthest', Math.min(limit, 1024));
    this.#limit = limit;
    this.#accepts = accepts;
  }

  bound(): number {
    return this.#heap.size < this.#limit ? -Infinity : this.#heap.near;
  }

  offer(row: number, near: number): void {
    const heap = this.#heap;
    if (heap.size === this.#limit && near <= heap.near) return;
    if (this.#accepts !== null && !this.#accepts(row)) return;
    if (heap.size < this.#limit) heap.push(row, near);
    else heap.replace(row, near);
  }

  /**
   * Takes all rows out, nearest first. With `least` only so many, and those after them that rounding may have put
   * there: nearness is a sum of floats.
   */
  take(least = Number.POSITIVE_INFINITY): Int32Array {
    const rows = new Int32Array(this.#heap.size);
    const near = new Float32Array(rows.length);
    for (let i = rows.length - 1; i >= 0; i--) {
      rows[i] = this.#heap.node;
      near[i] = this.#heap.near;
      this.#heap.pop();
    }
    if (least >= rows.length) return rows;
    const last = near[least - 1]!;
    const bound = last - ROUNDING_MAX * Math.max(1, Math.abs(last));
    let count = least;
    while (count < rows.length && near[count]! >= bound) count++;
    return rows.subarray(0, count);
  }
}

/**
 * A walk through the graph of a sealed segment towards a query, in steps. It goes through all nodes, whatever `results`
 * accepts: a filter does not cut the graph.
 */
export class GraphWalk {
  /** Rows that were compared. */
  visited = 0;
  readonly #graph: VectorGraph;
  readonly #near: RowNearness;
  readonly #results: WalkResults;
  readonly #seen: Int32Array;
  readonly #open = new NodeHeap('nearest');
  readonly #list: Int32Array;
  readonly #rows: Int32Array;
  readonly #out: Float32Array;
  #isStarted = false;

  constructor(graph: VectorGraph, near: RowNearness, results: WalkResults) {
    this.#graph = graph;
    this.#near = near;
    this.#results = results;
    this.#seen = new Int32Array((graph.rows + 31) >>> 5);
    this.#list = new Int32Array(2 * graph.m + 1);
    this.#rows = new Int32Array(this.#list.length);
    this.#out = new Float32Array(this.#list.length);
  }

  /** Compares about `rows` rows; returns whether more is left. */
  step(rows: number): boolean {
    const end = this.visited + rows;
    if (!this.#isStarted) this.#start();
    const open = this.#open;
    const results = this.#results;
    while (open.size > 0 && open.near >= results.bound()) {
      if (this.visited >= end) return true;
      const node = open.node;
      open.pop();
      this.#expand(node);
    }
    return false;
  }

  #start(): void {
    this.#isStarted = true;
    const graph = this.#graph;
    let rank = graph.entry;
    for (let level = graph.topLevel; level > 0; level--) rank = graph.below(level, this.#descend(level, rank));
    this.#list[0] = rank;
    this.#visit(rank);
    this.#compare(0, 1);
    this.#take(1);
  }

  /** Returns the rank of the node where no neighbour on the level is nearer. */
  #descend(level: number, start: number): number {
    this.#list[0] = start;
    this.#compare(level, 1);
    let near = this.#out[0]!;
    let rank = start;
    for (;;) {
      const count = this.#graph.neighbours(level, rank, this.#list);
      this.#compare(level, count);
      const before = rank;
      for (let i = 0; i < count; i++) {
        if (this.#out[i]! <= near) continue;
        near = this.#out[i]!;
        rank = this.#list[i]!;
      }
      if (rank === before) return rank;
    }
  }

  #expand(node: number): void {
    const list = this.#list;
    const all = this.#graph.neighbours(0, node, list);
    let count = 0;
    for (let i = 0; i < all; i++) {
      const neighbour = list[i]!;
      if ((this.#seen[neighbour >>> 5]! & (1 << (neighbour & 31))) !== 0) continue;
      this.#visit(neighbour);
      list[count++] = neighbour;
    }
    if (count === 0) return;
    this.#compare(0, count);
    this.#take(count);
  }

  #visit(node: number): void {
    this.#seen[node >>> 5]! |= 1 << (node & 31);
  }

  #compare(level: number, count: number): void {
    const { first } = this.#graph;
    for (let i = 0; i < count; i++) this.#rows[i] = first + this.#graph.rowOf(level, this.#list[i]!);
    this.#near.read(this.#rows, count, this.#out);
    this.visited += count;
  }

  #take(count: number): void {
    const results = this.#results;
    for (let i = 0; i < count; i++) {
      const near = this.#out[i]!;
      const bound = results.bound();
      // While there is room, any row is taken, even one whose distance is beyond the range of floats.
      if (near <= bound && bound !== -Infinity) continue;
      this.#open.push(this.#list[i]!, near);
      results.offer(this.#rows[i]!, near);
    }
  }
}
