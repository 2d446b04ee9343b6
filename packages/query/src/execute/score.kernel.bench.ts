import { bench } from '@shoal/testing';
import { countPostings, gallop, markPostings, scorePostings, sumPostings } from './score.kernel.js';

const COUNT = 4096;
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const freqs = Int32Array.from({ length: COUNT }, (_, i) => 1 + (i % 3));
const norms = Uint8Array.from({ length: COUNT }, (_, i) => i % 64);
const cache = Float32Array.from({ length: 256 }, (_, norm) => 1 / (norm + 1));
const [scores, sums] = [new Float64Array(COUNT), new Float64Array(COUNT)];
const [words, counts] = [new Int32Array(COUNT / 32), new Uint8Array(COUNT)];
let at = 0;
bench('score postings', COUNT, () => scorePostings(docs, freqs, 0, COUNT, norms, cache, 2.5, scores, 0));
bench('add scores of postings', COUNT, () => sumPostings(docs, freqs, 0, COUNT, 0, norms, cache, 2.5, sums, words));
bench('mark postings', COUNT, () => markPostings(docs, 0, COUNT, 0, words));
bench('count postings', COUNT, () => countPostings(docs, 0, COUNT, 0, counts));
bench('gallop over 50 postings', 1, () => {
  at = gallop(docs, at % (COUNT - 100), COUNT, (at % (COUNT - 100)) + 50);
});
