import { bench } from '@shoal/testing';
import { addMinima, addSquares, addSums, addWholeSums, foldWhole } from './sums.kernel.js';

const COUNT = 4096;
const values = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 12);
const buckets = Int32Array.from({ length: COUNT }, (_, i) => i % 8);
const arrays = (): Float64Array => new Float64Array(8);
const [sums, deltas, counts, minima, maxima] = [arrays(), arrays(), arrays(), arrays(), arrays()];
bench('compensated sum', COUNT, () => addSums(values, null, COUNT, sums, deltas, counts));
bench('compensated sum by bucket', COUNT, () => addSums(values, buckets, COUNT, sums, deltas, counts));
bench('sum of squares by bucket', COUNT, () => addSquares(values, buckets, COUNT, sums, deltas));
bench('minimum', COUNT, () => addMinima(values, null, COUNT, minima));
bench('minimum by bucket', COUNT, () => addMinima(values, buckets, COUNT, minima));
bench('stats of whole numbers', COUNT, () => foldWhole(values, 0, COUNT, sums, counts, minima, maxima));
bench('sum of whole numbers by bucket', COUNT, () => addWholeSums(values, buckets, COUNT, sums, counts));
