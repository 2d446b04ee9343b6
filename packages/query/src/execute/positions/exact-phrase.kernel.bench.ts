import { bench } from '@shoal/testing';
import { keepFollowed } from './exact-phrase.kernel.js';

const COUNT = 64;
const first = Int32Array.from({ length: COUNT }, (_, i) => i * 5);
const second = Int32Array.from({ length: COUNT }, (_, i) => i * 5 + (i % 3));
const starts = new Int32Array(COUNT);
bench('two terms with 64 positions each', COUNT, () => {
  starts.set(first);
  keepFollowed(starts, COUNT, second, COUNT, 1);
});
