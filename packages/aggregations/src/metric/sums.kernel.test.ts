import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import {
  addMaxima,
  addMinima,
  addSquares,
  addSums,
  addWholeSums,
  foldWhole,
  foldWholeSquares,
  spreadBuckets,
} from './sums.kernel.js';

const BUCKETS = 3;

interface Batch {
  readonly pairs: readonly (readonly [value: number, bucket: number])[];
  readonly buckets: 'none' | 'one' | 'many';
}

const bucketOf = ({ buckets }: Batch, bucket: number): number =>
  buckets === 'none' ? 0 : buckets === 'one' ? 1 : bucket;
const valuesOf = ({ pairs }: Batch): Float64Array => Float64Array.from(pairs, ([value]) => value);
const bucketsOf = (batch: Batch): Int32Array | null =>
  batch.buckets === 'none' ? null : Int32Array.from(batch.pairs, ([, bucket]) => bucketOf(batch, bucket));
/** Values of each bucket in order, those that are no numbers left out. */
const byBucket = (batch: Batch): number[][] =>
  Array.from({ length: BUCKETS }, (_, b) =>
    batch.pairs.flatMap(([value, own]) => (bucketOf(batch, own) === b && !Number.isNaN(value) ? [value] : [])),
  );

/** Kahan's sum, as Elasticsearch's CompensatedSum. */
function kahan(values: readonly number[]): readonly [sum: number, delta: number] {
  let [sum, delta] = [0, 0];
  for (const value of values) {
    const corrected = value + delta;
    const next = sum + corrected;
    delta = corrected - (next - sum);
    sum = next;
  }
  return [sum, delta];
}

const batches = (value: fc.Arbitrary<number>): fc.Arbitrary<Batch> =>
  fc.record({
    pairs: fc.array(
      fc.tuple(
        fc.oneof({ weight: 1, arbitrary: fc.constant(Number.NaN) }, { weight: 6, arbitrary: value }),
        fc.nat(BUCKETS - 1),
      ),
    ),
    buckets: fc.constantFrom('none', 'one', 'many'),
  });
const doubles = batches(fc.double({ min: -1e9, max: 1e9, noNaN: true }));
const wholes = batches(fc.integer({ min: -1000, max: 1000 }));

kernelContract(
  'addSums and addSquares are compensated sums of each bucket',
  (batch) => {
    const [sums, deltas, counts, squares, squareDeltas] = Array.from({ length: 5 }, () => new Float64Array(BUCKETS));
    addSums(valuesOf(batch), bucketsOf(batch), batch.pairs.length, sums!, deltas!, counts!);
    addSquares(valuesOf(batch), bucketsOf(batch), batch.pairs.length, squares!, squareDeltas!);
    return byBucket(batch).map((_, b) => [sums![b], deltas![b], counts![b], squares![b], squareDeltas![b]]);
  },
  (batch) => byBucket(batch).map((own) => [...kahan(own), own.length, ...kahan(own.map((value) => value * value))]),
  doubles,
);

kernelContract(
  'addMinima and addMaxima are the extremes of each bucket',
  (batch) => {
    const minima = new Float64Array(BUCKETS).fill(Number.POSITIVE_INFINITY);
    const maxima = new Float64Array(BUCKETS).fill(Number.NEGATIVE_INFINITY);
    addMinima(valuesOf(batch), bucketsOf(batch), batch.pairs.length, minima);
    addMaxima(valuesOf(batch), bucketsOf(batch), batch.pairs.length, maxima);
    return byBucket(batch).map((_, b) => [minima[b]! + 0, maxima[b]! + 0]);
  },
  (batch) => byBucket(batch).map((own) => [Math.min(...own) + 0, Math.max(...own) + 0]),
  doubles,
);

kernelContract(
  'foldWhole and foldWholeSquares add a batch of whole numbers to a bucket',
  (batch) => {
    const [sums, counts, squares] = Array.from({ length: 3 }, () => Float64Array.of(5, 5));
    const [minima, maxima] = [Float64Array.of(5, 5), Float64Array.of(5, 5)];
    foldWhole(valuesOf(batch), 1, batch.pairs.length, sums!, counts!, minima, maxima);
    foldWholeSquares(valuesOf(batch), batch.pairs.length, squares!);
    return [...sums!, ...counts!, ...minima, ...maxima, ...squares!];
  },
  (batch) => {
    const own = byBucket(batch).flat();
    const total = own.reduce((sum, value) => sum + value, 5);
    const squares = own.reduce((sum, value) => sum + value * value, 5);
    return [5, total, 5, 5 + own.length, 5, Math.min(5, ...own), 5, Math.max(5, ...own), squares, 5];
  },
  wholes,
);

kernelContract(
  'addWholeSums adds whole numbers by bucket',
  (batch) => {
    const [sums, counts] = [new Float64Array(BUCKETS), new Float64Array(BUCKETS)];
    addWholeSums(valuesOf(batch), bucketsOf(batch), batch.pairs.length, sums, counts);
    return byBucket(batch).map((_, b) => [sums[b], counts[b]]);
  },
  (batch) => byBucket(batch).map((own) => [own.reduce((sum, value) => sum + value, 0), own.length]),
  wholes,
);

kernelContract(
  'spreadBuckets repeats the bucket of a document for each of its values',
  (documents) => {
    const starts = Int32Array.from([
      0,
      ...documents.map((_, i) => documents.slice(0, i + 1).reduce((n, d) => n + d[0], 0)),
    ]);
    const out = new Int32Array(starts.at(-1)!);
    spreadBuckets(
      starts,
      Int32Array.from(documents, ([, bucket]) => bucket),
      documents.length,
      out,
    );
    return [...out];
  },
  (documents) => documents.flatMap(([values, bucket]) => Array<number>(values).fill(bucket)),
  fc.array(fc.tuple(fc.nat(3), fc.nat(9))),
);
