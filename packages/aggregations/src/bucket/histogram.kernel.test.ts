import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { assignBetween, assignFixed, countIndexes, keepIndexes, keepScores } from './histogram.kernel.js';

const value = fc.oneof(
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
  { weight: 8, arbitrary: fc.integer({ min: -30, max: 30 }) },
);

kernelContract(
  'assignFixed divides by the interval',
  ({ values, offset, interval, base, first, last }) => {
    const out = new Int32Array(values.length);
    assignFixed(Float64Array.from(values), values.length, offset, interval, base, first, last, out);
    return [...out];
  },
  ({ values, offset, interval, base, first, last }) =>
    values.map((own) => {
      const index = Math.floor((own - offset) / interval) - base;
      return index >= first && index <= last ? index : -1;
    }),
  fc.record({
    values: fc.array(value),
    offset: fc.constantFrom(0, 0.5, -3),
    interval: fc.constantFrom(1, 2, 7, 0.5),
    base: fc.integer({ min: -20, max: 0 }),
    first: fc.nat(3),
    last: fc.nat(40),
  }),
);

kernelContract(
  'assignBetween finds the stretch of each value',
  ({ values, starts, first, last }) => {
    const out = new Int32Array(values.length);
    const size = starts.length - 1;
    assignBetween(Float64Array.from(values), values.length, Float64Array.from(starts), size, first, last, out);
    return [...out];
  },
  ({ values, starts, first, last }) =>
    values.map((own) => {
      const index = starts.findIndex((start, i) => i < starts.length - 1 && own >= start && own < starts[i + 1]!);
      return index >= first && index <= last ? index : -1;
    }),
  fc.record({
    values: fc.array(value),
    starts: fc
      .uniqueArray(fc.integer({ min: -25, max: 25 }), { minLength: 2, maxLength: 9 })
      .map((all) => all.toSorted((a, b) => a - b)),
    first: fc.nat(2),
    last: fc.nat(9),
  }),
);

const WIDTH = 4;
const pairs = fc.record({
  rows: fc.array(fc.tuple(fc.integer({ min: -1, max: WIDTH - 1 }), fc.nat(2))),
  buckets: fc.constantFrom('none', 'one', 'many'),
});
const bucketOf = (buckets: string, bucket: number): number => (buckets === 'none' ? 0 : buckets === 'one' ? 2 : bucket);

kernelContract(
  'countIndexes, keepIndexes and keepScores leave out -1',
  ({ rows, buckets }) => {
    const indexes = Int32Array.from(rows, ([index]) => index);
    const owners = buckets === 'none' ? null : Int32Array.from(rows, ([, bucket]) => bucketOf(buckets, bucket));
    const counts = new Int32Array(3 * WIDTH);
    countIndexes(indexes, owners, WIDTH, rows.length, counts);
    const [outDocs, outIds] = [new Int32Array(rows.length), new Int32Array(rows.length)];
    const size = keepIndexes(
      indexes.map((_, i) => i),
      owners,
      indexes,
      rows.length,
      WIDTH,
      outDocs,
      outIds,
    );
    const scores = new Float32Array(size);
    keepScores(
      indexes,
      Float32Array.from(rows, (_, i) => i / 2),
      rows.length,
      scores,
    );
    return { counts: [...counts], kept: Array.from(scores, (score, i) => [outDocs[i], outIds[i], score]) };
  },
  ({ rows, buckets }) => {
    const kept = rows
      .map(([index, bucket], i) => [i, bucketOf(buckets, bucket) * WIDTH + index, i / 2] as const)
      .filter((_, i) => rows[i]![0] >= 0);
    return { counts: Array.from({ length: 3 * WIDTH }, (_, id) => kept.filter(([, own]) => own === id).length), kept };
  },
  pairs,
);
