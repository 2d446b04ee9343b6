import type { VectorColumn, VectorLayout } from '../segment-reader.js';
import type { RowNearness } from './graph-walk.js';
import { quantise } from './quantise.js';
import { comparesDistance, RowMemory, rowMemoryBytes } from './row-memory.js';

/** Rows that are compared at once. */
const SLOTS = 32;
/** Memory of the module's code and tables, about. */
const MODULE_BYTES = 64 * 1024;

/** Memory with loops into which the rows are copied that a walk comes by. */
export interface NearnessMemory {
  readonly rows: RowMemory;
  /** Memory that it takes. */
  readonly bytes: number;
  /** Number of the search whose vector is in memory, and number of searches that have used it. */
  user: number;
  users: number;
}

/** Returns memory for walks through columns of a layout; `isQuantised` if they compare its floats as bytes. */
export function nearnessMemory({ dims, element, similarity }: VectorLayout, isQuantised: boolean): NearnessMemory {
  const form = { dims, element: isQuantised ? ('byte' as const) : element, isDistance: comparesDistance(similarity) };
  const rows = new RowMemory(form, SLOTS, element === 'byte' && similarity === 'cosine');
  for (let i = 0; i < SLOTS; i++) rows.list[i] = i;
  return { rows, bytes: MODULE_BYTES + (SLOTS + 1) * rowMemoryBytes(form), user: 0, users: 0 };
}

/** Compares rows of a column, one by one where the block cache has them, with one vector. */
export class ColumnNearness implements RowNearness {
  readonly #column: VectorColumn;
  readonly #memory: NearnessMemory;
  readonly #elements: Uint8Array;
  readonly #length: number;
  readonly #hasLengths: boolean;
  readonly #elementBytes: number;
  readonly #rowBytes: number;
  readonly #user: number;

  /** `vector` is a row of the layout. Several searches may share `memory` in turns. */
  constructor(column: VectorColumn, memory: NearnessMemory, vector: Uint8Array) {
    const { dims, element, similarity } = column.layout;
    const own = vector.slice();
    const floats = new Float32Array(own.buffer);
    this.#column = column;
    this.#rowBytes = own.length;
    this.#memory = memory;
    this.#user = ++memory.users;
    this.#length = floats[floats.length - 1]!;
    this.#hasLengths = element === 'byte' && similarity === 'cosine';
    this.#elementBytes = element === 'byte' || column.quantised ? dims : dims * 4;
    this.#elements = own.subarray(0, this.#elementBytes);
    if (!column.quantised) return;
    const bytes = new Int8Array(dims);
    quantise(floats, dims, column.quantised.scale, bytes);
    this.#elements = new Uint8Array(bytes.buffer);
  }

  read(rows: Int32Array, count: number, out: Float32Array): void {
    const memory = this.#memory.rows;
    if (this.#memory.user !== this.#user) memory.query(this.#elements, this.#length);
    this.#memory.user = this.#user;
    for (let from = 0; from < count; from += SLOTS) {
      const some = Math.min(SLOTS, count - from);
      for (let i = 0; i < some; i++) this.#load(i, rows[from + i]!);
      memory.nearness(some);
      for (let i = 0; i < some; i++) out[from + i] = memory.out[i]!;
    }
  }

  #load(slot: number, row: number): void {
    const column = this.#column;
    const { rows } = this.#memory;
    if (column.quantised) rows.set(slot, column.quantised.rowBytes(row, this.#elementBytes), 1);
    else if (this.#hasLengths) this.#loadWithLength(slot, row);
    else rows.set(slot, column.rowBytes!(row, this.#elementBytes), 1);
  }

  #loadWithLength(slot: number, row: number): void {
    const bytes = this.#column.rowBytes!(row, this.#rowBytes);
    const length = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(bytes.length - 4, true);
    this.#memory.rows.set(slot, bytes.subarray(0, this.#elementBytes), length);
  }
}
