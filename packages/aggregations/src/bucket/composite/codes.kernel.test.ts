import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { keepWanted, ordinalCodes } from './codes.kernel.js';

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

kernelContract(
  'keepWanted keeps codes between the last page and the bound, in the order of the source',
  ({ codes, after, bound, missing, sign }) => {
    const rows = new Int32Array(codes.length);
    const size = keepWanted(Float64Array.from(codes), codes.length, after, bound, missing, sign, rows);
    return [...rows.subarray(0, size)];
  },
  ({ codes, after, bound, missing, sign }) =>
    codes.flatMap((own, i) => {
      const code = Number.isNaN(own) ? missing : own;
      return code * sign >= after * sign && code * sign <= bound * sign ? [i] : [];
    }),
  fc.record({
    codes: fc.array(fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -4, max: 4 }))),
    after: end,
    bound: end,
    missing: fc.constantFrom(Number.NaN, -5, 5),
    sign: fc.constantFrom(-1, 1),
  }),
);
