import { multiNumbers, multiOrdinals, reserveNumbers, reserveOrdinals, reserveStarts } from '../multi-values.js';
import {
  type BinaryColumn,
  type GeoColumn,
  type MultiNumbers,
  NO_MORE_DOCS,
  type NumberColumn,
  type OrdinalColumn,
  type VectorColumn,
} from '../segment-reader.js';

/*
 * Columns with their documents in another order, for merges into index sort order. They read documents one by one.
 */

/** Old number of each document of the new order. */
type Order = Int32Array;

/** First document >= target, in the new order, that has a value; NO_MORE_DOCS if there is none. */
function nextWithField(column: { nextDocWithField(target: number): number }, order: Order, target: number): number {
  for (let doc = target; doc < order.length; doc++)
    if (column.nextDocWithField(order[doc]!) === order[doc]!) return doc;
  return NO_MORE_DOCS;
}

/** Appends the values of document i, read alone into `from`, to `into`. */
function appendNumbers(from: MultiNumbers, into: MultiNumbers, i: number): void {
  const start = into.starts[i]!;
  const count = from.starts[1]!;
  reserveNumbers(into, start + count).set(from.values.subarray(0, count), start);
  into.starts[i + 1] = start + count;
}

/** A number column with its documents in another order. */
export function sortedNumbers(column: NumberColumn, order: Order): NumberColumn {
  const one = new Int32Array(1);
  const value = new Float64Array(1);
  const own = multiNumbers();
  const first = (doc: number): number => {
    one[0] = order[doc]!;
    column.read(one, 1, value);
    return value[0]!;
  };
  return {
    kind: column.kind,
    min: column.min,
    max: column.max,
    isExact: column.isExact,
    isSingleValued: column.isSingleValued,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    nextDocWithField: (target) => nextWithField(column, order, target),
    read(docs, count, out) {
      for (let i = 0; i < count; i++) out[i] = first(docs[i]!);
    },
    readRange(from, to, out) {
      for (let doc = from; doc < to; doc++) out[doc - from] = first(doc);
    },
    readAll(docs, count, out) {
      reserveStarts(out, count)[0] = 0;
      for (let i = 0; i < count; i++) {
        one[0] = order[docs[i]!]!;
        column.readAll(one, 1, own);
        appendNumbers(own, out, i);
      }
    },
    bigs: (doc) => column.bigs(order[doc]!),
    blockBounds: () => ({ min: column.min, max: column.max }),
  };
}

/** An ordinal column with its documents in another order. */
export function sortedOrdinals(column: OrdinalColumn, order: Order): OrdinalColumn {
  const one = new Int32Array(1);
  const value = new Int32Array(1);
  const own = multiOrdinals();
  const first = (doc: number): number => {
    one[0] = order[doc]!;
    column.read(one, 1, value);
    return value[0]!;
  };
  return {
    ordinalCount: column.ordinalCount,
    isSingleValued: column.isSingleValued,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    nextDocWithField: (target) => nextWithField(column, order, target),
    read(docs, count, out) {
      for (let i = 0; i < count; i++) out[i] = first(docs[i]!);
    },
    readRange(from, to, out) {
      for (let doc = from; doc < to; doc++) out[doc - from] = first(doc);
    },
    readAll(docs, count, out) {
      const starts = reserveStarts(out, count);
      starts[0] = 0;
      for (let i = 0; i < count; i++) {
        one[0] = order[docs[i]!]!;
        column.readAll(one, 1, own);
        const size = own.starts[1]!;
        reserveOrdinals(out, starts[i]! + size).set(own.values.subarray(0, size), starts[i]!);
        starts[i + 1] = starts[i]! + size;
      }
    },
    term: (ordinal) => column.term(ordinal),
    lookup: (term) => column.lookup(term),
    ranks: () => column.ranks(),
  };
}

/** A column of geo points with its documents in another order. */
export function sortedGeo(column: GeoColumn, order: Order): GeoColumn {
  const one = new Int32Array(1);
  const lat = new Float64Array(1);
  const lon = new Float64Array(1);
  const own = { lats: multiNumbers(), lons: multiNumbers() };
  return {
    isSingleValued: column.isSingleValued,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    nextDocWithField: (target) => nextWithField(column, order, target),
    read(docs, count, lats, lons) {
      for (let i = 0; i < count; i++) {
        one[0] = order[docs[i]!]!;
        column.read(one, 1, lat, lon);
        lats[i] = lat[0]!;
        lons[i] = lon[0]!;
      }
    },
    readAll(docs, count, lats, lons) {
      reserveStarts(lats, count)[0] = 0;
      reserveStarts(lons, count)[0] = 0;
      for (let i = 0; i < count; i++) {
        one[0] = order[docs[i]!]!;
        column.readAll(one, 1, own.lats, own.lons);
        appendNumbers(own.lats, lats, i);
        appendNumbers(own.lons, lons, i);
      }
    },
  };
}

/** A column of byte strings with its documents in another order. */
export function sortedBinary(column: BinaryColumn, order: Order): BinaryColumn {
  return {
    isSingleValued: column.isSingleValued,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    nextDocWithField: (target) => nextWithField(column, order, target),
    get: (doc) => column.get(order[doc]!),
  };
}

/** A column of vectors with its documents in another order: rows keep their numbers, so they are not in its order. */
export function sortedVectors(column: VectorColumn, order: Order): VectorColumn {
  return {
    layout: column.layout,
    isSingleValued: true,
    docsWithField: column.docsWithField,
    valueCount: column.valueCount,
    nextDocWithField: (target) => nextWithField(column, order, target),
    rowOf: (doc) => column.rowOf(order[doc]!),
    docsOfRows: () => null,
    rows: (row) => column.rows(row),
  };
}
