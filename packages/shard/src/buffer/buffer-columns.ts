import {
  type BinaryColumn,
  type GeoColumn,
  latDegrees,
  lonDegrees,
  type MultiNumbers,
  type MultiOrdinals,
  type NumberColumn,
  type OrdinalColumn,
  reserveNumbers,
  reserveOrdinals,
  reserveStarts,
  WINDOW_DOCS,
} from '@shoal/segments';
import { findVisible, type VisibleTerms, visibleRanks } from './buffer-terms.js';
import { type DocumentRows, docOfRow, nextRowDoc, rowFrom, rowsBelow, startOfRow } from './document-rows.js';
import type { BinaryStore, GeoStore, NumberStore, OrdinalStore } from './value-stores.js';

/** Returns the index of the first value of each document, -1 for a document without values. */
function firstValues(
  rows: DocumentRows,
  docs: Int32Array,
  count: number,
  take: (i: number, value: number) => void,
): void {
  let row = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    row = rowFrom(rows, doc, row);
    take(i, row < rows.rowCount && docOfRow(rows, row) === doc ? startOfRow(rows, row) : -1);
  }
}

/**
 * Fills `starts` for the documents and calls `take` for each run of consecutive values. The last entry of `starts` is
 * the number of values.
 */
function valueRuns(
  rows: DocumentRows,
  docs: Int32Array,
  count: number,
  starts: Int32Array,
  take: (from: number, to: number, at: number) => void,
): void {
  let row = 0;
  let at = 0;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    row = rowFrom(rows, docs[i]!, row);
    if (row === rows.rowCount || docOfRow(rows, row) !== docs[i]) continue;
    const from = startOfRow(rows, row);
    const to = startOfRow(rows, row + 1);
    take(from, to, at);
    at += to - from;
  }
  starts[count] = at;
}

interface RowColumn {
  readonly isSingleValued: boolean;
  readonly docsWithField: number;
  readonly valueCount: number;
  nextDocWithField(target: number): number;
}

const rowColumn = (rows: DocumentRows): RowColumn => ({
  isSingleValued: rows.starts === null || rows.valueCount === rows.rowCount,
  docsWithField: rows.rowCount,
  valueCount: rows.valueCount,
  nextDocWithField: (target) => nextRowDoc(rows, target),
});

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function boundsOf(values: Float64Array, from: number, to: number): Bounds {
  let min = Infinity;
  let max = -Infinity;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

function hasBigBelow(bigs: ReadonlyMap<number, bigint>, valueCount: number): boolean {
  for (const at of bigs.keys()) return at < valueCount;
  return false;
}

function fillRange(rows: DocumentRows, from: number, to: number, take: (i: number, value: number) => void): void {
  for (let row = rowFrom(rows, from, 0); row < rows.rowCount; row++) {
    const doc = docOfRow(rows, row);
    if (doc >= to) return;
    take(doc - from, startOfRow(rows, row));
  }
}

/** Returns a number column over the documents below `limit`. */
export function bufferNumbers(kind: 'long' | 'double', store: NumberStore, limit: number): NumberColumn {
  const rows = rowsBelow(store.rows, limit);
  const { values, bigs } = store;
  const { min, max } = rows.rowCount === store.rows.rowCount ? store : boundsOf(values, 0, rows.valueCount);
  return {
    kind,
    ...rowColumn(rows),
    min,
    max,
    isExact: !hasBigBelow(bigs, rows.valueCount),
    read: (docs, count, out) =>
      firstValues(rows, docs, count, (i, at) => {
        out[i] = at < 0 ? Number.NaN : values[at]!;
      }),
    readRange: (from, to, out) => {
      out.fill(Number.NaN, 0, to - from);
      if (rows.docs === null && rows.starts === null) out.set(values.subarray(from, Math.min(to, rows.rowCount)));
      else
        fillRange(rows, from, to, (i, at) => {
          out[i] = values[at]!;
        });
    },
    readAll: (docs, count, out: MultiNumbers) => {
      valueRuns(rows, docs, count, reserveStarts(out, count), (from, end, at) => {
        const target = reserveNumbers(out, at + end - from);
        for (let i = from; i < end; i++) target[at + i - from] = values[i]!;
      });
    },
    bigs: (doc) => {
      const result: bigint[] = [];
      valueRuns(rows, Int32Array.of(doc), 1, new Int32Array(2), (from, end) => {
        for (let i = from; i < end; i++) result.push(bigs.get(i) ?? BigInt(values[i]!));
      });
      return result;
    },
    blockBounds: (doc) => {
      const first = doc - (doc % WINDOW_DOCS);
      const from = rowFrom(rows, first, 0);
      const to = rowFrom(rows, first + WINDOW_DOCS, from);
      return from === to ? null : boundsOf(values, startOfRow(rows, from), startOfRow(rows, to));
    },
  };
}

/**
 * Returns an ordinal column over the documents below `limit`. Ordinals are term numbers in order of arrival, not in
 * term order.
 */
export function bufferOrdinals(store: OrdinalStore, terms: VisibleTerms): OrdinalColumn {
  const rows = rowsBelow(store.rows, terms.limit);
  const { values } = store;
  return {
    ...rowColumn(rows),
    ordinalCount: terms.termCount,
    read: (docs, count, out) =>
      firstValues(rows, docs, count, (i, at) => {
        out[i] = at < 0 ? -1 : values[at]!;
      }),
    readRange: (from, to, out) => {
      out.fill(-1, 0, to - from);
      if (rows.docs === null && rows.starts === null) out.set(values.subarray(from, Math.min(to, rows.rowCount)));
      else
        fillRange(rows, from, to, (i, at) => {
          out[i] = values[at]!;
        });
    },
    readAll: (docs, count, out: MultiOrdinals) => {
      valueRuns(rows, docs, count, reserveStarts(out, count), (from, end, at) => {
        const target = reserveOrdinals(out, at + end - from);
        for (let i = from; i < end; i++) target[at + i - from] = values[i]!;
      });
    },
    term: (ordinal) => terms.store.terms[ordinal]!,
    lookup: (term) => findVisible(terms, term),
    ranks: () => visibleRanks(terms),
  };
}

/** Returns a column of points over the documents below `limit`. */
export function bufferGeo(store: GeoStore, limit: number): GeoColumn {
  const rows = rowsBelow(store.rows, limit);
  const { lats: storedLats, lons: storedLons } = store;
  return {
    ...rowColumn(rows),
    read: (docs, count, lats, lons) =>
      firstValues(rows, docs, count, (i, at) => {
        lats[i] = at < 0 ? Number.NaN : latDegrees(storedLats[at]!);
        lons[i] = at < 0 ? Number.NaN : lonDegrees(storedLons[at]!);
      }),
    readAll: (docs, count, lats, lons) => {
      valueRuns(rows, docs, count, reserveStarts(lats, count), (from, end, at) => {
        const latTarget = reserveNumbers(lats, at + end - from);
        const lonTarget = reserveNumbers(lons, at + end - from);
        for (let i = from; i < end; i++) {
          latTarget[at + i - from] = latDegrees(storedLats[i]!);
          lonTarget[at + i - from] = lonDegrees(storedLons[i]!);
        }
      });
      reserveStarts(lons, count).set(lats.starts.subarray(0, count + 1));
    },
  };
}

/** Returns a column of byte strings over the documents below `limit`. */
export function bufferBinary(store: BinaryStore, limit: number): BinaryColumn {
  const rows = rowsBelow(store.rows, limit);
  return {
    ...rowColumn(rows),
    get: (doc) => {
      const row = rowFrom(rows, doc, 0);
      return row < rows.rowCount && docOfRow(rows, row) === doc ? store.values[row]! : null;
    },
  };
}
