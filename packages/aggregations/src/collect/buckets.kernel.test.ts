import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { countBuckets, onlyBucket } from './buckets.kernel.js';

kernelContract(
  'onlyBucket finds batches of one bucket, and countBuckets counts any',
  (buckets) => {
    const own = Int32Array.from(buckets);
    const counts = new Int32Array(4);
    countBuckets(own, own.length, counts);
    return { only: onlyBucket(own, own.length), none: onlyBucket(null, own.length), counts: [...counts] };
  },
  (buckets) => ({
    only: new Set(buckets).size === 1 ? buckets[0] : -1,
    none: buckets.length === 0 ? -1 : 0,
    counts: [0, 1, 2, 3].map((bucket) => buckets.filter((own) => own === bucket).length),
  }),
  fc.oneof(
    fc.array(fc.nat(3)),
    fc.tuple(fc.nat(3), fc.nat(9)).map(([bucket, size]) => Array<number>(size).fill(bucket)),
  ),
);
