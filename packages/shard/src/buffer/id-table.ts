import { idHashLow } from '@shoal/codec';
import { growInt32, growUint8 } from './grow.js';

/**
 * Documents by the hash of their id, as chains in a table of buckets. Most buffers are never searched by id, because
 * the shard knows recent ids (LiveVersions). So the chains are built at the first search.
 */
export interface IdTable {
  /** Hash of the id by document; valid where `isRoot` is 1. */
  hashes: Int32Array;
  isRoot: Uint8Array;
  docCount: number;
  /** Next older document of the same bucket, -1 at the end; indexed by document. */
  older: Int32Array;
  buckets: Int32Array;
  /** Documents below this number are in the chains. */
  linked: number;
}

/** Returns a table without ids. */
export const idTable = (): IdTable => ({
  hashes: new Int32Array(0),
  isRoot: new Uint8Array(0),
  docCount: 0,
  older: new Int32Array(0),
  buckets: new Int32Array(0),
  linked: 0,
});

/** Stores the id of a root document. */
export function addId(table: IdTable, id: string, doc: number): void {
  if (doc >= table.hashes.length) {
    table.hashes = growInt32(table.hashes, doc + 1);
    table.isRoot = growUint8(table.isRoot, table.hashes.length);
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

/** Adds the documents since the last search to the chains. */
function linkAll(table: IdTable): void {
  const { docCount } = table;
  table.older = growInt32(table.older, docCount);
  if (docCount > table.buckets.length) {
    table.buckets = new Int32Array(Math.max(256, 2 ** Math.ceil(Math.log2(docCount)) * 2)).fill(-1);
    table.linked = 0;
  }
  for (let doc = table.linked; doc < docCount; doc++) if (table.isRoot[doc] === 1) link(table, doc);
  table.linked = docCount;
}

/** Returns the documents below `limit` whose id has the same hash, oldest first. */
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

/** Returns the memory of a table in bytes. */
export const idTableBytes = (table: IdTable): number =>
  table.hashes.byteLength + table.isRoot.byteLength + table.older.byteLength + table.buckets.byteLength;
