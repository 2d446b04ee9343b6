import { idHashLow } from '@shoal/codec';
import { grownInt32, grownUint8 } from './grow.js';

/**
 * Documents by the hash of their id: chains in a table of buckets. Most buffers are never asked, as the shard knows
 * recent ids itself: the chains are made when the first question comes.
 */
export interface IdTable {
  /** Hash by document; `isRoot` tells which documents have one. */
  hashes: Int32Array;
  isRoot: Uint8Array;
  docCount: number;
  /** Next older document of the same bucket, -1 at the end; index = document. */
  older: Int32Array;
  buckets: Int32Array;
  /** Documents below it are in chains. */
  linked: number;
}

export const idTable = (): IdTable => ({
  hashes: new Int32Array(0),
  isRoot: new Uint8Array(0),
  docCount: 0,
  older: new Int32Array(0),
  buckets: new Int32Array(0),
  linked: 0,
});

/** Notes the id of a root document. */
export function addId(table: IdTable, id: string, doc: number): void {
  if (doc >= table.hashes.length) {
    table.hashes = grownInt32(table.hashes, doc + 1);
    table.isRoot = grownUint8(table.isRoot, table.hashes.length);
  }
  table.hashes[doc] = idHashLow(id);
  table.isRoot[doc] = 1;
  table.docCount = doc + 1;
}

function link(table: IdTable, doc: number): void {
  const bucket = table.hashes[doc]! & (table.buckets.length - 1);
  table.older[doc] = table.buckets[bucket]!;
  table.buckets[bucket] = doc;
}

/** Brings the chains up to the newest document. */
function linkAll(table: IdTable): void {
  const { docCount } = table;
  table.older = grownInt32(table.older, docCount);
  if (docCount > table.buckets.length) {
    table.buckets = new Int32Array(Math.max(256, 2 ** Math.ceil(Math.log2(docCount)) * 2)).fill(-1);
    table.linked = 0;
  }
  for (let doc = table.linked; doc < docCount; doc++) if (table.isRoot[doc] === 1) link(table, doc);
  table.linked = docCount;
}

/** Documents below `limit` with an id of the same hash, oldest first. */
export function findIds(table: IdTable, id: string, limit: number): number[] {
  if (table.docCount === 0) return [];
  if (table.linked < table.docCount) linkAll(table);
  const hash = idHashLow(id);
  const found: number[] = [];
  for (let doc = table.buckets[hash & (table.buckets.length - 1)]!; doc >= 0; doc = table.older[doc]!) {
    if (table.hashes[doc] === hash && doc < limit) found.push(doc);
  }
  return found.reverse();
}

export const idTableBytes = (table: IdTable): number =>
  table.hashes.byteLength + table.isRoot.byteLength + table.older.byteLength + table.buckets.byteLength;
