/** Distinct values that a table takes at most. */
export const TABLE_MAX = 256;

const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;

/** Distinct 32-bit values by open addressing; a quarter of the slots is taken at most. Filled again and again. */
export interface ValueTable {
  readonly keys: Int32Array;
  /** 0 for a free slot, else a number + 1 of the value. */
  readonly entries: Int32Array;
  /** The distinct values, as unsigned. */
  readonly distinct: Uint32Array<ArrayBuffer>;
  count: number;
}

export const valueTable = (): ValueTable => ({
  keys: new Int32Array(SLOTS),
  entries: new Int32Array(SLOTS),
  distinct: new Uint32Array(TABLE_MAX),
  count: 0,
});

/** The slot of a value, or the free one that it would take. */
function slotOf(table: ValueTable, value: number): number {
  let slot = Math.imul(value, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (table.entries[slot] !== 0 && table.keys[slot] !== value) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/**
 * Gathers the distinct ones of the first `count` values; false when there are more than `most`, which is at most
 * TABLE_MAX.
 */
export function gatherDistinct(table: ValueTable, values: Int32Array, count: number, most: number): boolean {
  table.entries.fill(0);
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const slot = slotOf(table, value);
    if (table.entries[slot] !== 0) continue;
    if (distinct === most) return false;
    table.keys[slot] = value;
    table.distinct[distinct] = value;
    table.entries[slot] = ++distinct;
  }
  table.count = distinct;
  return true;
}

/** Puts the distinct values in order and replaces each of the first `count` values by its place among them. */
export function replaceByPlaces(table: ValueTable, values: Int32Array, count: number): void {
  table.distinct.subarray(0, table.count).sort();
  for (let place = 0; place < table.count; place++)
    table.entries[slotOf(table, table.distinct[place]! | 0)] = place + 1;
  for (let i = 0; i < count; i++) values[i] = table.entries[slotOf(table, values[i]!)]! - 1;
}
