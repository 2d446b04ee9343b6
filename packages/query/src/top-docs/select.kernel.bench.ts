import { bench } from '@shoal/testing';
import { selectKth } from './select.kernel.js';

const COUNT = 100_000;
const keys = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1));
const values = new Float64Array(COUNT);
bench('thousandth of 100,000', COUNT, () => {
  values.set(keys);
  selectKth(values, COUNT, 1000);
});
