import { bench } from '@shoal/testing';
import { countValues } from './sample-store.kernel.js';

const COUNT = 4096;
const values = Float64Array.from({ length: COUNT }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
const buckets = Int32Array.from({ length: COUNT }, (_, i) => i % 8);
const counts = new Int32Array(8 * 256);
bench('count whole numbers', COUNT, () => countValues(values, null, COUNT, 0, 256, counts));
bench('count whole numbers by bucket', COUNT, () => countValues(values, buckets, COUNT, 0, 256, counts));
