import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberColumn } from '@shoal/segments';
import { BatchValues } from './batch-values.js';

/** A column in which document n has the value n · `factor`, and how often it was read. */
function columnTimes(factor: number): { readonly column: NumberColumn; reads(): number } {
  let reads = 0;
  const column = {
    read(docs: Int32Array, count: number, out: Float64Array): void {
      reads++;
      for (let i = 0; i < count; i++) out[i] = docs[i]! * factor;
    },
    readRange(from: number, to: number, out: Float64Array): void {
      reads++;
      for (let doc = from; doc < to; doc++) out[doc - from] = doc * factor;
    },
  };
  return { column: column as unknown as NumberColumn, reads: () => reads };
}

const batchValues = (): BatchValues => new BatchValues(() => new Float64Array(4096));
const valuesOf = (batch: BatchValues, column: NumberColumn, docs: Int32Array): number[] => [
  ...batch.of(column, docs, docs.length)!.subarray(0, docs.length),
];

test('a column is read once for a batch, several side by side', () => {
  const batch = batchValues();
  const [twice, thrice] = [columnTimes(2), columnTimes(3)];
  const docs = Int32Array.of(1, 5, 9);
  batch.begin(docs, 3);
  assert.deepEqual(valuesOf(batch, twice.column, docs), [2, 10, 18]);
  assert.deepEqual(valuesOf(batch, thrice.column, docs), [3, 15, 27]);
  assert.deepEqual(valuesOf(batch, twice.column, docs), [2, 10, 18]);
  assert.deepEqual([twice.reads(), thrice.reads()], [1, 1]);
});

test('the next batch in the same array is read anew, a run of documents too', () => {
  const batch = batchValues();
  const { column } = columnTimes(2);
  const docs = Int32Array.of(1, 5, 9);
  batch.begin(docs, 3);
  batch.of(column, docs, 3);
  docs.set([7, 8, 9]);
  batch.begin(docs, 3);
  assert.deepEqual(valuesOf(batch, column, docs), [14, 16, 18]);
});

test('other documents, and those of a batch that has ended, are not answered for', () => {
  const batch = batchValues();
  const { column } = columnTimes(2);
  const docs = Int32Array.of(1, 5, 9);
  assert.equal(batch.of(column, docs, 3), null);
  batch.begin(docs, 3);
  assert.equal(batch.of(column, Int32Array.of(1, 5, 9), 3), null);
  assert.equal(batch.of(column, docs, 2), null);
  batch.end();
  assert.equal(batch.of(column, docs, 3), null);
});
