import type { VectorColumn } from '../segment-reader.js';
import type { RowNearness } from './graph-walk.js';
import { quantise } from './quantise.js';
import { LIST_ROWS_MAX } from './row-memory.js';
import type { HeldRows } from './held-rows.js';

/** Whether a slot is among the first of a list: its row is not replaced before it is compared. */
function isListed(list: Int32Array, count: number, slot: number): boolean {
  for (let i = 0; i < count; i++) if (list[i] === slot) return true;
  return false;
}

/** Compares rows of a column with one vector. */
export class ColumnNearness implements RowNearness {
  readonly #column: VectorColumn;
  readonly #memory: HeldRows;
  readonly #elements: Uint8Array;
  readonly #length: number;
  readonly #hasLengths: boolean;
  readonly #elementBytes: number;
  readonly #rowBytes: number;
  readonly #user: number;
  readonly #number: number;
  /** Slot of row 0; rows of other columns begin elsewhere. */
  readonly #firstSlot: number;

  /** `vector` is a row of the layout. Several searches may share `memory` in turns. */
  constructor(column: VectorColumn, memory: HeldRows, vector: Uint8Array) {
    const { dims, element, similarity } = column.layout;
    const own = vector.slice();
    const floats = new Float32Array(own.buffer);
    this.#column = column;
    this.#rowBytes = own.length;
    this.#memory = memory;
    this.#user = ++memory.users;
    this.#number = column.number!;
    this.#firstSlot = (Math.imul(this.#number, 0x9e3779b1) >>> 0) % memory.slots;
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
    const memory = this.#memory;
    if (memory.user !== this.#user) memory.rows.query(this.#elements, this.#length);
    memory.user = this.#user;
    const { slots, held } = memory;
    const { list } = memory.rows;
    const [first, column] = [this.#firstSlot, this.#number];
    let from = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      let slot = first + row;
      if (slot >= slots) slot %= slots;
      const isHeld = held[2 * slot] === row && held[2 * slot + 1] === column;
      if (i - from === LIST_ROWS_MAX || (!isHeld && isListed(list, i - from, slot))) {
        this.#compare(i - from, from, out);
        from = i;
      }
      list[i - from] = slot;
      if (isHeld) continue;
      held[2 * slot + 1] = -1;
      this.#load(slot, row);
      held[2 * slot] = row;
      held[2 * slot + 1] = column;
    }
    this.#compare(count - from, from, out);
  }

  #compare(count: number, at: number, out: Float32Array): void {
    const { rows } = this.#memory;
    rows.nearness(count);
    for (let i = 0; i < count; i++) out[at + i] = rows.out[i]!;
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
