import { haversineMeters } from '@shoal/values';

/** Calls a function of the size of a number, whose sign the result has. */
function signed(x: number, called: (size: number) => number): number {
  return x < 0 || Object.is(x, -0) ? -called(-x) : called(x);
}

/**
 * Functions of expressions by name; their number of parameters is that of the implementation. Inverse hyperbolic
 * functions are the formulas of Lucene, so that results outside of their domain are the same.
 */
export const FUNCTIONS: ReadonlyMap<string, (...values: number[]) => number> = new Map<
  string,
  (...values: number[]) => number
>([
  ['abs', (x) => Math.abs(x!)],
  ['acos', (x) => Math.acos(x!)],
  ['acosh', (x) => Math.log(Math.sqrt(x! * x! - 1) + x!)],
  ['asin', (x) => Math.asin(x!)],
  ['asinh', (x) => signed(x!, (a) => Math.log(Math.sqrt(a * a + 1) + a))],
  ['atan', (x) => Math.atan(x!)],
  ['atan2', (y, x) => Math.atan2(y!, x!)],
  ['atanh', (x) => signed(x!, (a) => 0.5 * Math.log((1 + a) / (1 - a)))],
  ['ceil', (x) => Math.ceil(x!)],
  ['cos', (x) => Math.cos(x!)],
  ['cosh', (x) => Math.cosh(x!)],
  ['exp', (x) => Math.exp(x!)],
  ['floor', (x) => Math.floor(x!)],
  // Kilometers between two points: latitude and longitude of each.
  ['haversin', (lat, lon, lat2, lon2) => haversineMeters(lat!, lon!, lat2!, lon2!) / 1000],
  ['ln', (x) => Math.log(x!)],
  ['log10', (x) => Math.log10(x!)],
  ['logn', (base, x) => Math.log(x!) / Math.log(base!)],
  ['max', (a, b) => Math.max(a!, b!)],
  ['min', (a, b) => Math.min(a!, b!)],
  ['pow', (a, b) => a! ** b!],
  ['sin', (x) => Math.sin(x!)],
  ['sinh', (x) => Math.sinh(x!)],
  ['sqrt', (x) => Math.sqrt(x!)],
  ['tan', (x) => Math.tan(x!)],
  ['tanh', (x) => Math.tanh(x!)],
]);
