import { bench } from '@shoal/testing';
import { bitsToDocs, drainSums, keepBits, keepInRange, rangeToDocs, subtractDocs } from './window.kernel.js';

const COUNT = 4096;
const words = Int32Array.from({ length: COUNT / 32 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
const window = new Int32Array(COUNT / 32);
const all = Int32Array.from({ length: COUNT }, (_, i) => i);
const odd = Int32Array.from({ length: COUNT / 2 }, (_, i) => 2 * i + 1);
const values = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 16);
const docs = new Int32Array(COUNT + 1);
const [sums, scores] = [new Float64Array(COUNT), new Float64Array(COUNT + 1)];
bench('documents of a bit set, half of them', COUNT, () => void bitsToDocs(words, 0, COUNT, docs));
bench('drain a window of sums', COUNT, () => {
  window.set(words);
  drainSums(window, COUNT / 32, 0, sums, docs, scores);
});
bench('keep documents of a bit set', COUNT, () => {
  docs.set(all);
  keepBits(words, docs, COUNT, null, 1);
});
bench('subtract every other document', COUNT, () => {
  docs.set(all);
  subtractDocs(docs, COUNT, null, odd, odd.length);
});
bench('keep documents of a range', COUNT, () => {
  docs.set(all);
  keepInRange(docs, COUNT, values, 20_000, 40_000, null);
});
bench('list documents of a range', COUNT, () => void rangeToDocs(values, 0, COUNT, 20_000, 40_000, docs));
