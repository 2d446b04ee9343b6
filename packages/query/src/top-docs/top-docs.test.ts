import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { selectKth } from './select.kernel.js';
import { TopScores } from './top-scores.js';

test('the best scores stay, ties go to the smaller document', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 50 }),
      (scores, size, window) => {
        const top = new TopScores(size);
        for (let from = 0; from < scores.length; from += window) {
          const some = scores.slice(from, from + window);
          top.offer(
            Int32Array.from(some, (_, i) => from + i),
            Float64Array.from(some),
            some.length,
            0,
          );
        }
        const expected = scores
          .map((score, doc) => ({ score, doc }))
          .sort((a, b) => b.score - a.score || a.doc - b.doc)
          .slice(0, size);
        const { docs, scores: best } = top.take();
        assert.deepEqual(
          [...docs],
          expected.map(({ doc }) => doc),
        );
        assert.deepEqual(
          [...best],
          expected.map(({ score }) => score),
        );
      },
    ),
  );
});

test('the k-th smallest is the one that sorting would put there', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 60 }), fc.nat(), (values, n) => {
      const k = n % values.length;
      assert.equal(selectKth(Float64Array.from(values), values.length, k), [...values].sort((a, b) => a - b)[k]);
    }),
  );
});
