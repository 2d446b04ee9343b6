/** Limit of the distinct values of a table. */
export const TABLE_MAX = 256;

const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;

/**
 * Hash table of distinct 32-bit values by open addressing; at most a quarter of the slots is used. Reused for many
 * blocks.
 */
export interface ValueTable {
  readonly keys: Int32Array;
  /** For each slot 0 if it is free, else the index of its value plus 1. */
  readonly entries: Int32Array;
  /** Distinct values, unsigned; the first `count` are used. */
  readonly distinct: Uint32Array<ArrayBuffer>;
  count: number;
}

/** An empty table. */
export const valueTable = (): ValueTable => ({
  keys: new Int32Array(SLOTS),
  entries: new Int32Array(SLOTS),
  distinct: new Uint32Array(TABLE_MAX),
  count: 0,
});

/** Slot of a value, or the free slot where it would be inserted. */
function slotOf(table: ValueTable, value: number): number {
  let slot = Math.imul(value, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (table.entries[slot] !== 0 && table.keys[slot] !== value) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/**
 * Collects the distinct values among the first `count` values. Returns false if there are more than `most`, which is at
 * most TABLE_MAX.
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

/** Sorts the distinct values and replaces each of the first `count` values by its index among them. */
export function replaceByIndexes(table: ValueTable, values: Int32Array, count: number): void {
  table.distinct.subarray(0, table.count).sort();
  for (let place = 0; place < table.count; place++)
    table.entries[slotOf(table, table.distinct[place]! | 0)] = place + 1;
  for (let i = 0; i < count; i++) values[i] = table.entries[slotOf(table, values[i]!)]! - 1;
}
