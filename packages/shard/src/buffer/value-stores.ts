import { quantiseLat, quantiseLon } from '@shoal/segments';
import { type DocumentRows, appendRow, documentRows, rowsBytes } from './document-rows.js';
import { growFloat64, growInt32 } from './grow.js';
import { compareStored, type TermStore } from './term-store.js';

/**
 * Numbers of a field; the values of a document ascend. `bigs` has the exact values of those that are rounded in
 * `values`.
 */
export interface NumberStore {
  readonly rows: DocumentRows;
  values: Float64Array;
  readonly bigs: Map<number, bigint>;
  min: number;
  max: number;
}

/** Returns a store without numbers. */
export const numberStore = (): NumberStore => ({
  rows: documentRows(),
  values: new Float64Array(0),
  bigs: new Map(),
  min: Infinity,
  max: -Infinity,
});

const compareNumbers = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const isExact = (value: bigint): boolean =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);

function appendNumber(store: NumberStore, at: number, value: number | bigint): void {
  const number = Number(value);
  store.values[at] = number;
  if (typeof value === 'bigint' && !isExact(value)) store.bigs.set(at, value);
  if (number < store.min) store.min = number;
  if (number > store.max) store.max = number;
}

/** Adds the single value of a document. */
export function addNumber(store: NumberStore, doc: number, value: number | bigint): void {
  const at = store.rows.valueCount;
  if (at === store.values.length) store.values = growFloat64(store.values, at + 1);
  appendNumber(store, at, value);
  appendRow(store.rows, doc, 1);
}

/** Adds the first `count` of `values` for a document; may sort them in place. */
export function addNumbers(store: NumberStore, doc: number, values: (number | bigint)[], count: number): void {
  const at = store.rows.valueCount;
  const sorted = count === 1 ? values : values.slice(0, count).sort(compareNumbers);
  store.values = growFloat64(store.values, at + count);
  for (let i = 0; i < count; i++) appendNumber(store, at + i, sorted[i]!);
  appendRow(store.rows, doc, count);
}

/** Returns the memory of a store in bytes. */
export const numberStoreBytes = (store: NumberStore): number =>
  rowsBytes(store.rows) + store.values.byteLength + store.bigs.size * 80;

/** Term numbers by document: distinct, and in term order within a document. */
export interface OrdinalStore {
  readonly rows: DocumentRows;
  values: Int32Array;
}

/** Returns a store without term numbers. */
export const ordinalStore = (): OrdinalStore => ({ rows: documentRows(), values: new Int32Array(0) });

/** Up to this many terms of a document are sorted by insertion. */
const INSERTION_MAX = 24;

/** Sorts the first `count` term numbers by term; mostly they already are. */
function sortIds(terms: TermStore, ids: number[], count: number): readonly number[] {
  if (count > INSERTION_MAX) return ids.slice(0, count).sort((a, b) => compareStored(terms, a, b));
  for (let i = 1; i < count; i++) {
    const id = ids[i]!;
    let j = i - 1;
    for (; j >= 0 && compareStored(terms, ids[j]!, id) > 0; j--) ids[j + 1] = ids[j]!;
    ids[j + 1] = id;
  }
  return ids;
}

/**
 * Adds the first `count` of `ids`, the term numbers of a document. They may repeat and be unsorted; may sort them in
 * place.
 */
export function addOrdinals(store: OrdinalStore, terms: TermStore, doc: number, ids: number[], count: number): void {
  const sorted = sortIds(terms, ids, count);
  const at = store.rows.valueCount;
  store.values = growInt32(store.values, at + count);
  let distinct = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const id = sorted[i]!;
    if (id !== last) store.values[at + distinct++] = id;
    last = id;
  }
  appendRow(store.rows, doc, distinct);
}

/** Returns the memory of a store in bytes. */
export const ordinalStoreBytes = (store: OrdinalStore): number => rowsBytes(store.rows) + store.values.byteLength;

/** Quantised points of a field. */
export interface GeoStore {
  readonly rows: DocumentRows;
  lats: Int32Array;
  lons: Int32Array;
}

/** Returns a store without points. */
export const geoStore = (): GeoStore => ({ rows: documentRows(), lats: new Int32Array(0), lons: new Int32Array(0) });

/** Adds the first `count` points of `degrees` (lat, lon, lat, lon …) for a document. */
export function addPoints(store: GeoStore, doc: number, degrees: readonly number[], count: number): void {
  const at = store.rows.valueCount;
  store.lats = growInt32(store.lats, at + count);
  store.lons = growInt32(store.lons, at + count);
  for (let i = 0; i < count; i++) {
    store.lats[at + i] = quantiseLat(degrees[2 * i]!);
    store.lons[at + i] = quantiseLon(degrees[2 * i + 1]!);
  }
  appendRow(store.rows, doc, count);
}

/** Returns the memory of a store in bytes. */
export const geoStoreBytes = (store: GeoStore): number =>
  rowsBytes(store.rows) + store.lats.byteLength + store.lons.byteLength;

/** Byte strings of a field, one a document. */
export interface BinaryStore {
  readonly rows: DocumentRows;
  readonly values: Uint8Array[];
  bytes: number;
}

/** Returns a store without byte strings. */
export const binaryStore = (): BinaryStore => ({ rows: documentRows(), values: [], bytes: 0 });

/** Adds the byte string of a document. */
export function addBinary(store: BinaryStore, doc: number, value: Uint8Array): void {
  store.values.push(value.slice());
  store.bytes += value.length + 96;
  appendRow(store.rows, doc, 1);
}

/** Returns the memory of a store in bytes. */
export const binaryStoreBytes = (store: BinaryStore): number => rowsBytes(store.rows) + store.bytes;
