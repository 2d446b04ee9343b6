import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { countValues } from './sample-store.kernel.js';

const MIN = -3;
const WIDTH = 7;

kernelContract(
  'countValues counts whole numbers by bucket',
  ({ pairs, withBuckets }) => {
    const counts = new Int32Array(3 * WIDTH);
    const values = Float64Array.from(pairs, ([value]) => value);
    const buckets = withBuckets ? Int32Array.from(pairs, ([, bucket]) => bucket) : null;
    countValues(values, buckets, pairs.length, MIN, WIDTH, counts);
    return [...counts];
  },
  ({ pairs, withBuckets }) => {
    const counts = Array<number>(3 * WIDTH).fill(0);
    for (const [value, bucket] of pairs)
      if (!Number.isNaN(value)) counts[(withBuckets ? bucket : 0) * WIDTH + value - MIN]! += 1;
    return counts;
  },
  fc.record({
    pairs: fc.array(fc.tuple(fc.oneof(fc.constant(Number.NaN), fc.integer({ min: MIN, max: 3 })), fc.nat(2))),
    withBuckets: fc.boolean(),
  }),
);
