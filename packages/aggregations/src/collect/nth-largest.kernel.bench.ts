import { bench } from '@shoal/testing';
import { nthLargest } from './nth-largest.kernel.js';

const COUNT = 100_000;
const counts = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 16);
const values = new Float64Array(COUNT);
bench('tenth largest of 100,000', COUNT, () => {
  values.set(counts);
  nthLargest(values, COUNT, 10);
});
