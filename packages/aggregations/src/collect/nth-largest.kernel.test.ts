import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { nthLargest } from './nth-largest.kernel.js';

kernelContract(
  'nthLargest finds what sorting finds',
  ({ values, n }) => nthLargest(Float64Array.from([...values, 99]), values.length, (n % values.length) + 1),
  ({ values, n }) => values.toSorted((a, b) => b - a)[n % values.length],
  fc.record({ values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }), n: fc.nat() }),
  500,
);
