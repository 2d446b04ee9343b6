import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { nearestTo } from './neighbours.kernel.js';

const points = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
  minLength: 2,
  maxLength: 30,
});

kernelContract(
  'squared distances of the nearest points are the smallest of all',
  (all) => {
    const squares = new Float64Array(5).fill(-1);
    const sample = Int32Array.from(all, (_, i) => i);
    const count = nearestTo(Float64Array.from(all.flat()), 2, 0, sample, 5, new Int32Array(5), squares, 0);
    return [...squares.subarray(0, count)];
  },
  (all) => {
    const [x, y] = all[0]!;
    const squares = all.slice(1).map(([a, b]) => (a - x) ** 2 + (b - y) ** 2);
    return squares.sort((a, b) => a - b).slice(0, 5);
  },
  points,
);
