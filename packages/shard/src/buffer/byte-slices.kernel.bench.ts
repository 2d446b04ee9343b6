import { bench } from '@shoal/testing';
import { appendVarint, readSums, rewind, slicePool } from './byte-slices.kernel.js';

const COUNT = 10_000;
const STREAMS = 100;
bench('append to 100 streams', COUNT, () => {
  const pool = slicePool();
  const words = new Int32Array(STREAMS * 4).fill(-1);
  for (let i = 0; i < COUNT; i++) appendVarint(pool, words, (i % STREAMS) * 4, i & 0xff);
});
const pool = slicePool();
const words = new Int32Array(4).fill(-1);
for (let i = 0; i < COUNT; i++) appendVarint(pool, words, 0, i & 0xff);
const reader = { at: 0, end: 0, level: 0 };
const out = new Int32Array(COUNT);
bench('read a stream', COUNT, () => {
  rewind(reader, words, 0);
  readSums(pool, reader, COUNT, out);
});
