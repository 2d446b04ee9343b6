import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { addToHistogram, gatherPairs, partRows } from './histogram.kernel.js';

const table = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 })), {
  minLength: 1,
  maxLength: 40,
});

kernelContract(
  'the histogram of rows is the sum of their gradients and curvatures by bin',
  (rows) => {
    const order = Int32Array.from(rows, (_, i) => i);
    const pairs = new Float64Array(2 * rows.length);
    const [g, h] = [Float64Array.from(rows, ([, own]) => own), Float64Array.from(rows, ([, , own]) => own)];
    gatherPairs(order, 0, rows.length, g, h, pairs);
    const histogram = new Float64Array(14);
    addToHistogram(
      Uint8Array.from(rows, ([bin]) => bin),
      order,
      0,
      rows.length,
      pairs,
      histogram,
      1,
    );
    return [...histogram];
  },
  (rows) => {
    const histogram = new Array<number>(14).fill(0);
    for (const [bin, g, h] of rows) {
      histogram[2 + 2 * bin]! += g;
      histogram[3 + 2 * bin]! += h;
    }
    return histogram;
  },
  table,
);

test('rows are parted in their order, those without a value as the split says', () => {
  const column = Uint8Array.from([0, 3, 1, 4, 2, 4, 0]);
  for (const isLeft of [true, false]) {
    const rows = Int32Array.from([6, 5, 4, 3, 2, 1, 0]);
    const middle = partRows(column, rows, 1, 6, 1, 4, isLeft, new Int32Array(7));
    const expected = isLeft ? [6, 5, 3, 2, 4, 1, 0] : [6, 2, 5, 4, 3, 1, 0];
    assert.deepEqual([...rows], expected);
    assert.equal(middle, isLeft ? 4 : 2);
  }
});
