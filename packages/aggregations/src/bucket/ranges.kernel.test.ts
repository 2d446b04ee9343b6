import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { areDisjoint, countDisjoint, countRanges, keepDisjoint, keepRanges } from './ranges.kernel.js';

const PARENTS = 2;

interface Input {
  readonly values: readonly (readonly [value: number, bucket: number])[];
  readonly withBuckets: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

const value = fc.integer({ min: -2, max: 12 });
const range = fc.tuple(value, value).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
const disjoint = fc.uniqueArray(value, { minLength: 2, maxLength: 8 }).map((ends) => {
  const sorted = ends.toSorted((a, b) => a - b);
  return Array.from({ length: sorted.length >> 1 }, (_, i) => [sorted[2 * i]!, sorted[2 * i + 1]!] as const);
});
const inputs = (ranges: fc.Arbitrary<Input['ranges']>): fc.Arbitrary<Input> =>
  fc.record({
    values: fc.array(fc.tuple(fc.oneof(fc.constant(Number.NaN), value), fc.nat(PARENTS - 1))),
    withBuckets: fc.boolean(),
    ranges,
  });

/** Pairs (document, bucket) of every range that holds a value, by document and range. */
const plainPairs = ({ values, withBuckets, ranges }: Input): number[][] =>
  values.flatMap(([own, bucket], doc) =>
    ranges.flatMap(([from, to], r) =>
      own >= from && own < to ? [[doc, (withBuckets ? bucket : 0) * ranges.length + r]] : [],
    ),
  );

const plain = (input: Input): object => {
  const pairs = plainPairs(input);
  const counts = Array.from(
    { length: PARENTS * input.ranges.length },
    (_, b) => pairs.filter(([, own]) => own === b).length,
  );
  return { counts, pairs };
};

const run =
  (count: typeof countRanges, keep: typeof keepRanges) =>
  ({ values, withBuckets, ranges }: Input): object => {
    const numbers = Float64Array.from(values, ([own]) => own);
    const buckets = withBuckets ? Int32Array.from(values, ([, bucket]) => bucket) : null;
    const docs = Int32Array.from(values, (_, doc) => doc);
    const [froms, tos] = [Float64Array.from(ranges, ([from]) => from), Float64Array.from(ranges, ([, to]) => to)];
    const counts = new Int32Array(PARENTS * ranges.length);
    count(numbers, buckets, values.length, froms, tos, counts);
    const room = values.length * ranges.length + 1;
    const [outDocs, outIds] = [new Int32Array(room), new Int32Array(room)];
    const size = keep(docs, numbers, buckets, values.length, froms, tos, outDocs, outIds);
    return { counts: [...counts], pairs: Array.from({ length: size }, (_, i) => [outDocs[i], outIds[i]]) };
  };

kernelContract(
  'countRanges and keepRanges find every range of a value',
  run(countRanges, keepRanges),
  plain,
  inputs(fc.array(range, { minLength: 1, maxLength: 4 })),
);

kernelContract(
  'countDisjoint and keepDisjoint find the one range of a value',
  run(countDisjoint, keepDisjoint),
  plain,
  inputs(disjoint),
);

kernelContract(
  'areDisjoint compares each range with the one before',
  (ranges) =>
    areDisjoint(
      Float64Array.from(ranges, ([from]) => from),
      Float64Array.from(ranges, ([, to]) => to),
    ),
  (ranges) =>
    Array.from({ length: 15 }, (_, i) => i - 2).every(
      (n) => ranges.filter(([from, to]) => n >= from && n < to).length <= 1,
    ),
  fc
    .array(
      range.filter(([from, to]) => from < to),
      { maxLength: 4 },
    )
    .map((ranges) => ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])),
);
