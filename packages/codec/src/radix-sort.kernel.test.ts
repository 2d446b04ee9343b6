import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { radixSort } from './radix-sort.kernel.js';

kernelContract(
  'radix sort orders items by unsigned 64-bit keys and keeps the order of equal ones',
  (keys) => {
    const high = Int32Array.from(keys, ([h]) => h);
    const low = Int32Array.from(keys, ([, l]) => l);
    const items = Int32Array.from(keys, (_, i) => i);
    return [...radixSort(high, low, items, items.length)];
  },
  (keys) => {
    const keyOf = (i: number): bigint => (BigInt(keys[i]![0] >>> 0) << 32n) | BigInt(keys[i]![1] >>> 0);
    return keys.map((_, i) => i).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a - b));
  },
  fc.array(fc.tuple(fc.integer({ min: -2, max: 1 }), fc.oneof(fc.integer(), fc.nat(3)))),
);
