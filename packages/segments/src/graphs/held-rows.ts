import type { VectorColumn } from '../segment-reader.js';
import { comparesDistance, type RowForm, RowMemory, rowMemoryBytes } from './row-memory.js';

/** Limits for the rows of one memory. */
const SLOTS_MIN = 64;
const SLOTS_MAX = 1 << 18;
/** Memory of the module's code and tables, about. */
const MODULE_BYTES = 64 * 1024;
/** Memory of a slot besides its row: the row's number and its column. */
const SLOT_BYTES = 8;
/** A memory for rows of another form is not made smaller than this part of all: the one used longest ago goes first. */
const SHARE_MIN = 16;

/**
 * Memory with loops, where rows that walks through graphs came by stay for those that come later: copying a row there
 * takes several times as long as comparing it. Each row has one slot where it can be, as in a direct-mapped cache.
 */
export class HeldRows {
  readonly rows: RowMemory;
  readonly slots: number;
  /** For each slot the row that is in it, and the number of its column, -1 for none. */
  readonly held: Int32Array;
  /** Memory that it takes when all slots are used. */
  readonly bytes: number;
  /** Number of the search whose vector is in memory, and number of searches that have used it. */
  user = 0;
  users = 0;

  constructor(form: RowForm, bytesMax: number, hasLengths: boolean) {
    const slotBytes = rowMemoryBytes(form) + SLOT_BYTES;
    const fitting = Math.floor((bytesMax - MODULE_BYTES) / slotBytes);
    this.slots = Math.max(SLOTS_MIN, Math.min(SLOTS_MAX, fitting));
    this.rows = new RowMemory(form, this.slots, hasLengths);
    this.held = new Int32Array(2 * this.slots).fill(-1);
    this.bytes = MODULE_BYTES + this.slots * slotBytes;
  }
}

/**
 * The rows of vectors that all searches of a thread hold, in one memory for each form of rows. A form gets half of what
 * is left of `bytesMax`; the memory is taken as rows come.
 */
export class VectorRowCache {
  readonly #bytesMax: number;
  /** By form, the one used last at the end. */
  readonly #memories = new Map<string, HeldRows>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Memory that the rows take when all slots are used. */
  get bytes(): number {
    let bytes = 0;
    for (const memory of this.#memories.values()) bytes += memory.bytes;
    return bytes;
  }

  /** Returns the memory for the rows of a column. */
  of(column: VectorColumn): HeldRows {
    const { dims, element, similarity } = column.layout;
    const isQuantised = (column.quantised ?? null) !== null;
    const hasLengths = element === 'byte' && similarity === 'cosine';
    const form: RowForm = {
      dims,
      element: isQuantised ? 'byte' : element,
      isDistance: comparesDistance(similarity),
    };
    const key = `${dims} ${form.element} ${form.isDistance} ${hasLengths}`;
    const memory = this.#memories.get(key) ?? this.#make(form, hasLengths);
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    return memory;
  }

  #make(form: RowForm, hasLengths: boolean): HeldRows {
    for (const [key] of this.#memories) {
      if (this.#bytesMax - this.bytes >= this.#bytesMax / SHARE_MIN) break;
      this.#memories.delete(key);
    }
    return new HeldRows(form, (this.#bytesMax - this.bytes) / 2, hasLengths);
  }

  clear(): void {
    this.#memories.clear();
  }
}
