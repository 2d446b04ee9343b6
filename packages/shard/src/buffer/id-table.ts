import { idHashHigh, idHashLow } from '@shoal/codec';
import { grownInt32 } from './grow.js';

/** In `older`: a nested document. */
const NOT_LINKED = -2;

/** Documents by the 64-bit hash of their id: chains in a table of buckets. */
export interface IdTable {
  low: Int32Array;
  high: Int32Array;
  /** Next older document of the same bucket, -1 at the end; index = document. */
  older: Int32Array;
  buckets: Int32Array;
  count: number;
}

export const idTable = (): IdTable => ({
  low: new Int32Array(0), high: new Int32Array(0), older: new Int32Array(0), buckets: new Int32Array(256).fill(-1), count: 0,
});

function link(table: IdTable, doc: number): void {
  const bucket = table.low[doc]! & (table.buckets.length - 1);
  table.older[doc] = table.buckets[bucket]!;
  table.buckets[bucket] = doc;
}

function rehash(table: IdTable, docs: number): void {
  table.buckets = new Int32Array(table.buckets.length * 2).fill(-1);
  for (let doc = 0; doc < docs; doc++) if (table.older[doc] !== NOT_LINKED) link(table, doc);
}

/** Notes the id of a root document. */
export function addId(table: IdTable, id: string, doc: number): void {
  table.low = grownInt32(table.low, doc + 1);
  table.high = grownInt32(table.high, doc + 1);
  table.older = grownInt32(table.older, doc + 1, NOT_LINKED);
  table.low[doc] = idHashLow(id);
  table.high[doc] = idHashHigh(id);
  if (++table.count > table.buckets.length) rehash(table, doc);
  link(table, doc);
}

/** Documents below `limit` with an id of the same hash, oldest first. */
export function findIds(table: IdTable, id: string, limit: number): number[] {
  const low = idHashLow(id);
  const high = idHashHigh(id);
  const found: number[] = [];
  for (let doc = table.buckets[low & (table.buckets.length - 1)]!; doc >= 0; doc = table.older[doc]!) {
    if (table.low[doc] === low && table.high[doc] === high && doc < limit) found.push(doc);
  }
  return found.reverse();
}

export const idTableBytes = (table: IdTable): number => table.low.byteLength + table.high.byteLength + table.older.byteLength + table.buckets.byteLength;
