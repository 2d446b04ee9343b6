import { bench } from '@shoal/testing';
import { countBuckets } from './buckets.kernel.js';

const COUNT = 4096;
const same = new Int32Array(COUNT).fill(3);
const mixed = Int32Array.from({ length: COUNT }, (_, i) => i % 8);
const counts = new Int32Array(8);
bench('count a batch of one bucket', COUNT, () => countBuckets(same, COUNT, counts));
bench('count a batch of several buckets', COUNT, () => countBuckets(mixed, COUNT, counts));
