import { bench } from '@shoal/testing';
import { sumProducts } from './feature.kernel.js';

const COUNT = 128;
const docs = Int32Array.from({ length: COUNT }, (_, i) => 7 * i);
const freqs = Int32Array.from({ length: COUNT }, (_, i) => 32_000 + i);
const sums = new Float64Array(7 * COUNT);
const words = new Int32Array((7 * COUNT) / 32);
bench('add products of features', COUNT, () => sumProducts(docs, freqs, 0, COUNT, 0, 2.5, sums, words));
