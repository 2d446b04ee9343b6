import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { selectKth } from './select.kernel.js';

kernelContract(
  'selectKth finds what sorting finds',
  ({ values, k }) => selectKth(Float64Array.from([...values, -99]), values.length, k % values.length),
  ({ values, k }) => values.toSorted((a, b) => a - b)[k % values.length],
  fc.record({ values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }), k: fc.nat() }),
  500,
);
