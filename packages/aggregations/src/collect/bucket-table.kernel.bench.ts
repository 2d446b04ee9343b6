import { bench } from '@shoal/testing';
import { findPairs, hashPair } from './bucket-table.kernel.js';

const COUNT = 4096;
const SLOTS = 8192;
const owners = new Int32Array(COUNT);
const keys = Float64Array.from({ length: COUNT }, (_, i) => i * 17);
const slots = new Int32Array(SLOTS).fill(-1);
keys.forEach((key, id) => {
  let slot = hashPair(0, key) & (SLOTS - 1);
  while (slots[slot]! >= 0) slot = (slot + 1) & (SLOTS - 1);
  slots[slot] = id;
});
const out = new Int32Array(COUNT);
bench('find buckets of whole keys', COUNT, () => void findPairs(slots, owners, keys, owners, keys, 0, COUNT, out));
