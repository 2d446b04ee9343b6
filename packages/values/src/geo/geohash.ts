import { errors } from '@shoal/errors';

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

/** Edges of a rectangle in degrees. */
export interface GeoBox {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Geohash text of `length` characters of a cell number as `geohashCell` returns it. */
export function geohashText(cell: number, length: number): string {
  let rest = cell;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * Geohash cell of a point as a number of 5 · `length` bits, longitude and latitude interleaved, longitude first. Exact
 * up to length 10 (50 bits).
 */
export function geohashCell(lat: number, lon: number, length: number): number {
  const lonBits = Math.ceil((5 * length) / 2);
  const latBits = Math.floor((5 * length) / 2);
  const x = Math.min(Math.floor(((lon + 180) / 360) * 2 ** lonBits), 2 ** lonBits - 1);
  const y = Math.min(Math.floor(((lat + 90) / 180) * 2 ** latBits), 2 ** latBits - 1);
  let cell = 0;
  for (let i = 0; i < 5 * length; i++) {
    const isLon = i % 2 === 0;
    const bit = isLon
      ? Math.floor(x / 2 ** (lonBits - 1 - (i >> 1))) % 2
      : Math.floor(y / 2 ** (latBits - 1 - (i >> 1))) % 2;
    cell = cell * 2 + bit;
  }
  return cell;
}

/** Geohash of a point, of `length` (1-12) characters. */
export function geohashEncode(lat: number, lon: number, length: number): string {
  let text = '';
  let [bottom, top, left, right] = [-90, 90, -180, 180];
  let isLon = true;
  while (text.length < length) {
    let index = 0;
    for (let i = 0; i < 5; i++, isLon = !isLon) {
      const middle = isLon ? (left + right) / 2 : (bottom + top) / 2;
      const high = isLon ? lon >= middle : lat >= middle;
      index = index * 2 + (high ? 1 : 0);
      if (isLon && high) left = middle;
      else if (isLon) right = middle;
      else if (high) bottom = middle;
      else top = middle;
    }
    text += ALPHABET[index];
  }
  return text;
}

/** Edges of the cell of a geohash. Throws illegal_argument_exception `unsupported symbol [!] in geohash [x!]`. */
export function geohashBox(hash: string): GeoBox {
  let [bottom, top, left, right] = [-90, 90, -180, 180];
  let isLon = true;
  if (hash === '') throw errors.illegalArgument('empty geohash');
  for (const char of hash) {
    const index = ALPHABET.indexOf(char);
    if (index < 0) throw errors.illegalArgument(`unsupported symbol [${char}] in geohash [${hash}]`);
    for (let bit = 16; bit > 0; bit >>= 1, isLon = !isLon) {
      const high = (index & bit) !== 0;
      if (isLon) [left, right] = high ? [(left + right) / 2, right] : [left, (left + right) / 2];
      else [bottom, top] = high ? [(bottom + top) / 2, top] : [bottom, (bottom + top) / 2];
    }
  }
  return { top, left, bottom, right };
}
