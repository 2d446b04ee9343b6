import type { VectorGraph } from '../segment-reader.js';
import type { GraphBuilder } from './graph-builder.js';
import { LIST_ROWS_MAX } from './row-memory.js';

/** Nodes after which taking over a graph may pause. */
const NODES_A_TURN = 1024;

/** Row of each node of a level, and highest level of each row. */
function levelsOf(graph: VectorGraph): { readonly rows: Int32Array[]; readonly highest: Int8Array } {
  const highest = new Int8Array(graph.rows);
  const rows = [new Int32Array(0)];
  for (let level = 1; level <= graph.topLevel; level++) {
    const own = Int32Array.from({ length: graph.nodesOn(level) }, (_, rank) => graph.rowOf(level, rank));
    for (const row of own) highest[row] = level;
    rows.push(own);
  }
  return { rows, highest };
}

/** One level of a graph that is taken over. */
class AdoptedLevel {
  readonly #graph: VectorGraph;
  readonly #level: number;
  readonly #rows: Int32Array;
  readonly #map: Int32Array;
  readonly #ranks: Int32Array;
  readonly #beyond: Int32Array;
  readonly candidates = new Int32Array(LIST_ROWS_MAX);

  constructor(graph: VectorGraph, level: number, rows: Int32Array, map: Int32Array) {
    this.#graph = graph;
    this.#level = level;
    this.#rows = rows;
    this.#map = map;
    this.#ranks = new Int32Array(2 * graph.m);
    this.#beyond = new Int32Array(2 * graph.m);
  }

  /** New number of a node; -1 for a deleted one. */
  nodeOf(rank: number): number {
    return this.#map[this.#level === 0 ? rank : this.#rows[rank]!]!;
  }

  /** Writes the neighbours that are left to `candidates`. Returns their number, and whether some are deleted. */
  neighbours(rank: number): { readonly count: number; readonly isCut: boolean } {
    const all = this.#graph.neighbours(this.#level, rank, this.#ranks);
    let count = 0;
    for (let i = 0; i < all; i++) {
      const node = this.nodeOf(this.#ranks[i]!);
      if (node >= 0) this.candidates[count++] = node;
    }
    return { count, isCut: count < all };
  }

  /** As `neighbours`, and with the neighbours of deleted ones. */
  neighboursBeyond(rank: number): number {
    const own = this.nodeOf(rank);
    const known = new Set<number>();
    const add = (node: number): void => {
      if (node >= 0 && node !== own && known.size < LIST_ROWS_MAX) known.add(node);
    };
    const all = this.#graph.neighbours(this.#level, rank, this.#ranks);
    for (let i = 0; i < all; i++) add(this.nodeOf(this.#ranks[i]!));
    for (let i = 0; i < all; i++) {
      if (this.nodeOf(this.#ranks[i]!) >= 0) continue;
      const beyond = this.#graph.neighbours(this.#level, this.#ranks[i]!, this.#beyond);
      for (let k = 0; k < beyond; k++) add(this.nodeOf(this.#beyond[k]!));
    }
    this.candidates.set([...known]);
    return known.size;
  }
}

/**
 * Adds the nodes of a sealed graph with their links to a graph in memory. `map` has the new node of each row, -1 for a
 * deleted one: its neighbours are linked anew, with those on its other side as candidates.
 */
export async function adoptGraph(
  builder: GraphBuilder,
  graph: VectorGraph,
  map: Int32Array,
  rest: (nodes: number) => Promise<void> | void,
): Promise<void> {
  const { rows, highest } = levelsOf(graph);
  for (let row = 0; row < graph.rows; row++) if (map[row]! >= 0) builder.place(map[row]!, highest[row]!);
  for (let level = 0; level <= graph.topLevel; level++) {
    const adopted = new AdoptedLevel(graph, level, rows[level]!, map);
    for (let rank = 0; rank < graph.nodesOn(level); rank++) {
      if (rank % NODES_A_TURN === NODES_A_TURN - 1) await rest(NODES_A_TURN);
      const node = adopted.nodeOf(rank);
      if (node < 0) continue;
      const { count, isCut } = adopted.neighbours(rank);
      if (isCut) builder.relink(node, level, adopted.candidates, adopted.neighboursBeyond(rank));
      else builder.setLinks(node, level, adopted.candidates, count);
    }
  }
}
