import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import {
  appendVarint,
  poolBytes,
  readPostings,
  readSteps,
  readSums,
  readVarint,
  rewind,
  slicePool,
  type SlicePool,
  type StreamReader,
} from './byte-slices.kernel.js';

const STREAMS = 3;
const WORDS = 4;

/** Returns a pool with streams of values, written in the given order. */
function written(values: readonly (readonly [stream: number, value: number])[]): {
  pool: SlicePool;
  words: Int32Array;
} {
  const pool = slicePool();
  const words = new Int32Array(STREAMS * WORDS).fill(-1);
  for (const [stream, value] of values) appendVarint(pool, words, stream * WORDS, value);
  return { pool, words };
}

function readerOf(words: Int32Array, stream: number): StreamReader {
  const reader = { at: 0, end: 0, level: 0 };
  rewind(reader, words, stream * WORDS);
  return reader;
}

const number = fc.oneof(fc.nat(100), fc.nat(20_000), fc.integer());

kernelContract(
  'streams that grow side by side give back what each was given',
  (values) => {
    const { pool, words } = written(values);
    const streams = Array.from({ length: STREAMS }, (_, stream) => {
      const count = values.filter(([own]) => own === stream).length;
      if (count === 0) return [];
      const reader = readerOf(words, stream);
      return Array.from({ length: count }, () => readVarint(pool, reader));
    });
    return { streams, hasRoom: poolBytes(pool) >= values.length };
  },
  (values) => ({
    streams: Array.from({ length: STREAMS }, (_, stream) =>
      values.flatMap(([own, value]) => (own === stream ? [value] : [])),
    ),
    hasRoom: true,
  }),
  fc.array(fc.tuple(fc.nat(STREAMS - 1), number), { maxLength: 2000, size: 'max' }),
  60,
);

kernelContract(
  'readPostings, readSums and readSteps read differences',
  ({ gaps, last }) => {
    const { pool, words } = written([
      ...gaps.map(([gap]) => [0, gap] as const),
      ...gaps.flatMap(([gap, freq]) =>
        freq === 1 ? [[1, gap * 2 + 1] as const] : [[1, gap * 2] as const, [1, freq] as const],
      ),
    ]);
    const size = gaps.length;
    const [docs, more, freqs] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
    const [sums, steps] = [new Int32Array(size), new Int32Array(size + 2)];
    const ends = [
      readPostings(pool, readerOf(words, 0), size, last, false, docs, freqs),
      readPostings(pool, readerOf(words, 1), size, last, true, more, freqs),
    ];
    readSums(pool, readerOf(words, 0), size, sums);
    readSteps(pool, readerOf(words, 0), size, steps, 2);
    return {
      docs: [...docs],
      more: [...more],
      freqs: [...freqs],
      ends,
      sums: [...sums],
      steps: [...steps.subarray(2)],
    };
  },
  ({ gaps, last }) => {
    const sums = gaps.map((_, i) => gaps.slice(0, i + 1).reduce((sum, [gap]) => sum + gap, 0));
    const docs = sums.map((sum) => last + sum);
    const end = docs.at(-1)!;
    return {
      docs,
      more: docs,
      freqs: gaps.map(([, freq]) => freq),
      ends: [end, end],
      sums,
      steps: gaps.map(([gap]) => gap),
    };
  },
  fc.record({
    gaps: fc.array(fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 100 }),
    last: fc.nat(1000),
  }),
);
