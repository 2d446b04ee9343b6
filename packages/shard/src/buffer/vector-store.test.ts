import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeVector, type VectorLayout } from '@shoal/segments';
import fc from 'fast-check';
import { addVector, bufferVectors, vectorStore, vectorStoreBytes } from './vector-store.js';

test('a snapshot shows the vectors of the documents below its limit, also after more were added', () => {
  const layout: VectorLayout = { dims: 700, element: 'float', similarity: 'l2_norm' };
  const vector = (doc: number): number[] => Array.from({ length: 700 }, (_, i) => doc + i);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99), { minLength: 1 }), fc.nat(100), (given, limit) => {
      const docs = given.sort((a, b) => a - b);
      const store = vectorStore(layout);
      const visible = docs.filter((doc) => doc < limit);
      for (const doc of visible) addVector(store, doc, encodeVector(vector(doc), layout));
      const column = bufferVectors(store, limit);
      for (const doc of docs.slice(visible.length)) addVector(store, doc, encodeVector(vector(doc), layout));
      assert.equal(column.docsWithField, visible.length);
      for (let doc = 0; doc < 100; doc++) {
        const row = column.rowOf(doc);
        assert.equal(row >= 0, visible.includes(doc));
        if (row < 0) continue;
        const { floats, first, stride } = column.rows(row);
        assert.deepEqual([...floats.subarray((row - first) * stride, (row - first) * stride + 700)], vector(doc));
      }
      assert.ok(vectorStoreBytes(store) >= docs.length * 2804);
    }),
    { numRuns: 30 },
  );
});
