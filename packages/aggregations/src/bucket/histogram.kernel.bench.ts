import { bench } from '@shoal/testing';
import { assignBetween, assignFixed, countIndexes, keepIndexes } from './histogram.kernel.js';

const COUNT = 4096;
const times = Float64Array.from({ length: COUNT }, (_, i) => i * 1000);
const starts = Float64Array.from({ length: 33 }, (_, i) => i * 128_000);
const docs = Int32Array.from({ length: COUNT }, (_, i) => i);
const indexes = new Int32Array(COUNT);
const counts = new Int32Array(64);
const [outDocs, outIds] = [new Int32Array(COUNT), new Int32Array(COUNT)];
bench('fixed intervals', COUNT, () => assignFixed(times, COUNT, 0, 128_000, 0, 0, 31, indexes));
bench('stretches of any width', COUNT, () => assignBetween(times, COUNT, starts, 32, 0, 31, indexes));
bench('count indexes', COUNT, () => countIndexes(indexes, null, 32, COUNT, counts));
bench('pairs of indexes', COUNT, () => void keepIndexes(docs, null, indexes, COUNT, 32, outDocs, outIds));
