import { bench } from '@shoal/testing';
import { fillMissing, isContiguous } from './read.kernel.js';

const COUNT = 4096;
const docs = Int32Array.from({ length: COUNT }, (_, i) => i + 7);
const sparse = Float64Array.from({ length: COUNT }, (_, i) => (i % 3 === 0 ? Number.NaN : i));
const values = new Float64Array(COUNT);
let found = false;
bench('is a window contiguous', COUNT, () => {
  found = isContiguous(docs, COUNT);
});
bench('fill missing values', COUNT, () => {
  values.set(sparse);
  fillMissing(values, COUNT, 1);
});
process.stdout.write(`${found}\n`);
