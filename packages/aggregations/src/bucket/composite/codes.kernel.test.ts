import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { keepCodesBetween, keepOrdinalsBetween, ordinalCodes } from './codes.kernel.js';

kernelContract(
  'ordinalCodes numbers ordinals, and makes those of no value no number',
  ({ ordinals, map }) => {
    const out = new Float64Array(ordinals.length);
    ordinalCodes(Int32Array.from(ordinals), ordinals.length, map && Int32Array.from(map), out);
    return [...out];
  },
  ({ ordinals, map }) => ordinals.map((own) => (own < 0 ? Number.NaN : (map?.[own] ?? own))),
  fc.record({
    ordinals: fc.array(fc.integer({ min: -1, max: 3 })),
    map: fc.option(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })),
  }),
);

const end = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);

/** Rows with their codes from `low` to `high`. */
const between = (codes: readonly number[], low: number, high: number): object[] =>
  codes.flatMap((code, row) => (code >= low && code <= high ? [{ row, code }] : []));

const rowsOf = (size: number, rows: Int32Array, codes: Float64Array): object[] =>
  Array.from({ length: size }, (_, i) => ({ row: rows[i]!, code: codes[i]! }));

kernelContract(
  'keepCodesBetween keeps codes from the last page to the bound, also into its own array',
  ({ codes, low, high, missing }) => {
    const [rows, values] = [new Int32Array(codes.length), Float64Array.from(codes)];
    return rowsOf(keepCodesBetween(values, codes.length, low, high, missing, rows, values), rows, values);
  },
  ({ codes, low, high, missing }) =>
    between(
      codes.map((own) => (Number.isNaN(own) ? missing : own)),
      low,
      high,
    ),
  fc.record({
    codes: fc.array(fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -4, max: 4 }))),
    low: end,
    high: end,
    missing: fc.constantFrom(Number.NaN, -5, 5),
  }),
);

kernelContract(
  'keepOrdinalsBetween reads, maps and keeps ordinals in one step',
  ({ values, docs, map, low, high, missing }) => {
    const [rows, codes] = [new Int32Array(docs.length), new Float64Array(docs.length)];
    const numbers = map && Int32Array.from(map);
    const [own, list] = [Int32Array.from(values), Int32Array.from(docs)];
    return rowsOf(keepOrdinalsBetween(own, list, docs.length, numbers, low, high, missing, rows, codes), rows, codes);
  },
  ({ values, docs, map, low, high, missing }) =>
    between(
      docs.map((doc) => (values[doc]! < 0 ? missing : (map?.[values[doc]!] ?? values[doc]!))),
      low,
      high,
    ),
  fc.record({
    values: fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 8, maxLength: 8 }),
    docs: fc.array(fc.integer({ min: 0, max: 7 })),
    map: fc.option(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })),
    low: end,
    high: end,
    missing: fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  }),
);
