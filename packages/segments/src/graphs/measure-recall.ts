import type { RecallPoint } from '../segment-reader.js';
import type { GraphBuilder } from './graph-builder.js';
import { NodeHeap } from './node-heap.js';
import { LIST_ROWS_MAX, type RowMemory } from './row-memory.js';

/** Numbers of candidates for which the recall is measured. */
const CANDIDATES = [10, 20, 50, 100, 200, 400, 800] as const;
/** Nearest rows that are looked for. */
const NEAREST = 10;
/** Rows that are looked for at most: enough that the recall is known to about one hundredth. */
export const SAMPLE_MAX = 100;
/** Rows below which a sample says nothing. */
const SAMPLE_MIN = 20;

/**
 * Measures the recall of a graph with rows that are not in it yet: each is looked for before it is added, as a query
 * would be.
 */
export class RecallMeter {
  readonly #builder: GraphBuilder;
  readonly #memory: RowMemory;
  readonly #rows: number;
  readonly #best = new NodeHeap('farthest', NEAREST);
  readonly #nodes = new Int32Array(NEAREST);
  readonly #near = new Float32Array(NEAREST);
  readonly #found = CANDIDATES.map(() => 0);
  #measured = 0;

  constructor(builder: GraphBuilder, memory: RowMemory, rows: number) {
    this.#builder = builder;
    this.#memory = memory;
    this.#rows = rows;
  }

  /** Looks for the rows nearest to one that is not in the graph. */
  measure(row: number): void {
    this.#memory.queryRow(row);
    const least = this.#leastOfNearest();
    if (least === null) return;
    this.#measured++;
    CANDIDATES.forEach((candidates, i) => {
      const count = this.#builder.search(candidates, this.#nodes, this.#near);
      for (let k = 0; k < count; k++) if (this.#near[k]! >= least) this.#found[i]!++;
    });
  }

  /** The recall by number of candidates; empty if too few rows were looked for. */
  points(): RecallPoint[] {
    if (this.#measured < SAMPLE_MIN) return [];
    return CANDIDATES.map((candidates, i) => ({ candidates, recall: this.#found[i]! / (this.#measured * NEAREST) }));
  }

  /** How near the last of the nearest rows of the graph is, by comparing all; null if there are too few rows. */
  #leastOfNearest(): number | null {
    const { list, out } = this.#memory;
    const best = this.#best;
    best.clear();
    for (let row = 0; row < this.#rows; ) {
      let count = 0;
      for (; row < this.#rows && count < LIST_ROWS_MAX; row++) if (this.#builder.levelOf(row) >= 0) list[count++] = row;
      this.#memory.nearness(count);
      for (let i = 0; i < count; i++) {
        if (best.size < NEAREST) best.push(list[i]!, out[i]!);
        else if (out[i]! > best.near) best.replace(list[i]!, out[i]!);
      }
    }
    return best.size < NEAREST ? null : best.near;
  }
}
