import { NO_MORE_DOCS } from '@shoal/segments';
import { growInt32 } from './grow.js';

/**
 * The documents that have values in a column, and the ranges of their values. A row is a document with values. `docs`
 * is null while row numbers equal document numbers; `starts` is null while each row has one value.
 */
export interface DocumentRows {
  rowCount: number;
  valueCount: number;
  docs: Int32Array | null;
  starts: Int32Array | null;
}

/** Returns rows of no documents. */
export const documentRows = (): DocumentRows => ({ rowCount: 0, valueCount: 0, docs: null, starts: null });

const upTo = (count: number): Int32Array => Int32Array.from({ length: count + 16 }, (_, i) => i);

/** Adds a row of `values` (at least 1) values for `doc`, which is larger than all documents before. */
export function appendRow(rows: DocumentRows, doc: number, values: number): void {
  const row = rows.rowCount++;
  if (rows.docs === null && doc !== row) rows.docs = upTo(row);
  if (rows.docs !== null) {
    rows.docs = growInt32(rows.docs, row + 1);
    rows.docs[row] = doc;
  }
  if (rows.starts === null && values !== 1) rows.starts = upTo(row);
  rows.valueCount += values;
  if (rows.starts !== null) {
    rows.starts = growInt32(rows.starts, row + 2);
    rows.starts[row] = rows.valueCount - values;
    rows.starts[row + 1] = rows.valueCount;
  }
}

/** Returns the first row of a document >= `doc`, `rowCount` if there is none. Gallops from row `from` on. */
export function rowFrom(rows: DocumentRows, doc: number, from: number): number {
  const { docs, rowCount } = rows;
  if (docs === null) return Math.min(Math.max(doc, from), rowCount);
  let step = 1;
  let low = from;
  let high = from;
  while (high < rowCount && docs[high]! < doc) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, rowCount);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the document of a row. */
export const docOfRow = (rows: DocumentRows, row: number): number => (rows.docs === null ? row : rows.docs[row]!);

/** Returns the index of the first value of a row. */
export const startOfRow = (rows: DocumentRows, row: number): number => (rows.starts === null ? row : rows.starts[row]!);

/** Returns the rows of documents below `limit` as of now; rows added later do not show. */
export function rowsBelow(rows: DocumentRows, limit: number): DocumentRows {
  const rowCount = rowFrom(rows, limit, 0);
  return { rowCount, valueCount: startOfRow(rows, rowCount), docs: rows.docs, starts: rows.starts };
}

/** Returns the smallest document >= `target` with a row, or NO_MORE_DOCS. */
export function nextRowDoc(rows: DocumentRows, target: number): number {
  const row = rowFrom(rows, target, 0);
  return row === rows.rowCount ? NO_MORE_DOCS : docOfRow(rows, row);
}

/** Returns the memory of the rows in bytes. */
export const rowsBytes = (rows: DocumentRows): number => (rows.docs?.byteLength ?? 0) + (rows.starts?.byteLength ?? 0);
