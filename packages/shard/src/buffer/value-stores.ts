import { quantiseLat, quantiseLon } from '@shoal/segments';
import { type DocumentRows, appendRow, documentRows, rowsBytes } from './document-rows.js';
import { grownFloat64, grownInt32 } from './grow.js';
import { compareStored, type TermStore } from './term-store.js';

/** Numbers of a field; values of a document ascending. `bigs` has the exact ones of those that are rounded in `values`. */
export interface NumberStore {
  readonly rows: DocumentRows;
  values: Float64Array;
  readonly bigs: Map<number, bigint>;
  min: number;
  max: number;
}

export const numberStore = (): NumberStore => ({ rows: documentRows(), values: new Float64Array(0), bigs: new Map(), min: Infinity, max: -Infinity });

const compareNumbers = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const isExact = (value: bigint): boolean => value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);

function appendNumber(store: NumberStore, at: number, value: number | bigint): void {
  const number = Number(value);
  store.values[at] = number;
  if (typeof value === 'bigint' && !isExact(value)) store.bigs.set(at, value);
  if (number < store.min) store.min = number;
  if (number > store.max) store.max = number;
}

/** Adds the values of a document; `values` is sorted in place. */
export function addNumbers(store: NumberStore, doc: number, values: (number | bigint)[]): void {
  const at = store.rows.valueCount;
  const count = values.length;
  if (count > 1) values.sort(compareNumbers);
  store.values = grownFloat64(store.values, at + count);
  for (let i = 0; i < count; i++) appendNumber(store, at + i, values[i]!);
  appendRow(store.rows, doc, count);
}

export const numberStoreBytes = (store: NumberStore): number => rowsBytes(store.rows) + store.values.byteLength + store.bigs.size * 80;

/** Term numbers of a field's documents: distinct, in term order within a document. */
export interface OrdinalStore {
  readonly rows: DocumentRows;
  values: Int32Array;
}

export const ordinalStore = (): OrdinalStore => ({ rows: documentRows(), values: new Int32Array(0) });

/** Adds the terms of a document, possibly doubled and out of order; `ids` is sorted in place. */
export function addOrdinals(store: OrdinalStore, terms: TermStore, doc: number, ids: number[]): void {
  if (ids.length > 1) ids.sort((a, b) => compareStored(terms, a, b));
  const at = store.rows.valueCount;
  store.values = grownInt32(store.values, at + ids.length);
  let count = 0;
  let last = -1;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id !== last) store.values[at + count++] = id;
    last = id;
  }
  appendRow(store.rows, doc, count);
}

export const ordinalStoreBytes = (store: OrdinalStore): number => rowsBytes(store.rows) + store.values.byteLength;

/** Points of a field, quantised. */
export interface GeoStore {
  readonly rows: DocumentRows;
  lats: Int32Array;
  lons: Int32Array;
}

export const geoStore = (): GeoStore => ({ rows: documentRows(), lats: new Int32Array(0), lons: new Int32Array(0) });

/** Adds the points of a document, given as lat, lon, lat, lon … in degrees. */
export function addPoints(store: GeoStore, doc: number, degrees: readonly number[]): void {
  const at = store.rows.valueCount;
  const count = degrees.length >>> 1;
  store.lats = grownInt32(store.lats, at + count);
  store.lons = grownInt32(store.lons, at + count);
  for (let i = 0; i < count; i++) {
    store.lats[at + i] = quantiseLat(degrees[2 * i]!);
    store.lons[at + i] = quantiseLon(degrees[2 * i + 1]!);
  }
  appendRow(store.rows, doc, count);
}

export const geoStoreBytes = (store: GeoStore): number => rowsBytes(store.rows) + store.lats.byteLength + store.lons.byteLength;

/** One byte string a document. */
export interface BinaryStore {
  readonly rows: DocumentRows;
  readonly values: Uint8Array[];
  bytes: number;
}

export const binaryStore = (): BinaryStore => ({ rows: documentRows(), values: [], bytes: 0 });

export function addBinary(store: BinaryStore, doc: number, value: Uint8Array): void {
  store.values.push(value.slice());
  store.bytes += value.length + 96;
  appendRow(store.rows, doc, 1);
}

export const binaryStoreBytes = (store: BinaryStore): number => rowsBytes(store.rows) + store.bytes;
