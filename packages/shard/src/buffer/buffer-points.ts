import { type GeoPointsReader, latDegrees, lonDegrees, type PointsReader } from '@shoal/segments';
import { type DocumentRows, docOfRow, rowsBelow, startOfRow } from './document-rows.js';
import type { GeoStore, NumberStore } from './value-stores.js';

/** Number of values from which an estimate is extrapolated. */
const SAMPLE_VALUES = 1024;

function estimate(values: Float64Array, valueCount: number, low: number, high: number): number {
  const step = Math.max(1, Math.floor(valueCount / SAMPLE_VALUES));
  let seen = 0;
  let inside = 0;
  for (let i = 0; i < valueCount; i += step) {
    const value = values[i]!;
    if (value >= low && value <= high) inside++;
    seen++;
  }
  if (step === 1 || seen === 0) return inside;
  return Math.round((inside / seen) * valueCount);
}

function forEachValue(rows: DocumentRows, visit: (at: number) => boolean, into: (doc: number) => void): void {
  for (let row = 0; row < rows.rowCount; row++) {
    const end = startOfRow(rows, row + 1);
    for (let at = startOfRow(rows, row); at < end; at++) {
      if (!visit(at)) continue;
      into(docOfRow(rows, row));
      break;
    }
  }
}

/**
 * Returns a reader of ranges over the buffered numbers of documents below `limit`. Scans all values: a buffer is too
 * small for a tree to pay.
 */
export function bufferNumberPoints(store: NumberStore, limit: number): PointsReader {
  const rows = rowsBelow(store.rows, limit);
  const { values, bigs } = store;
  return {
    estimate: (low, high) => estimate(values, rows.valueCount, low, high),
    collect: (low, high, into) =>
      forEachValue(
        rows,
        (at) => values[at]! >= low && values[at]! <= high,
        (doc) => into.set(doc),
      ),
    collectBig: (low, high, into) => {
      const isInside = (value: number | bigint): boolean => value >= low && value <= high;
      forEachValue(
        rows,
        (at) => isInside(bigs.get(at) ?? values[at]!),
        (doc) => into.set(doc),
      );
    },
  };
}

/** Returns a reader of areas over the buffered points of documents below `limit`. */
export function bufferGeoPoints(store: GeoStore, limit: number): GeoPointsReader {
  const rows = rowsBelow(store.rows, limit);
  const { lats, lons } = store;
  return {
    collect: (_relate, contains, into) =>
      forEachValue(
        rows,
        (at) => contains(latDegrees(lats[at]!), lonDegrees(lons[at]!)),
        (doc) => into.set(doc),
      ),
  };
}
