import { bench } from '@shoal/testing';
import { keepMinScore } from './min-score.kernel.js';

const COUNT = 4096;
const all = Float64Array.from({ length: COUNT }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 8) / 2 ** 24);
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const scores = new Float64Array(COUNT);
bench('keep half of a window by score', COUNT, () => {
  scores.set(all);
  keepMinScore(0.5, docs, scores, COUNT);
});
