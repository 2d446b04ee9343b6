import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NearestHeap } from './nearest-heap.js';

test('a heap keeps the best of each group, and of those the best', () => {
  const offers = fc.array(fc.record({ doc: fc.nat(60), score: fc.integer({ min: 0, max: 9 }) }), { maxLength: 80 });
  fc.assert(
    fc.property(offers, fc.nat(12), fc.constantFrom(1, 4), (given, capacity, groupSize) => {
      const heap = new NearestHeap(capacity);
      const seen = new Map<number, { doc: number; score: number }>();
      const better = (a: { doc: number; score: number }, b: { doc: number; score: number }): number =>
        b.score - a.score || a.doc - b.doc;
      for (const entry of given) {
        const group = Math.floor(entry.doc / groupSize);
        heap.offer(entry.doc, group, entry.score);
        const known = seen.get(group);
        const { doc, score } = entry;
        if (known === undefined || better(entry, known) < 0) seen.set(group, { doc, score });
      }
      const expected = [...seen.values()].sort(better).slice(0, capacity);
      const found = heap.entries().map(({ doc, score }) => ({ doc, score }));
      assert.deepEqual(found.sort(better), expected);
    }),
  );
});
