import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barParts } from './bar-chart.js';

test('parts stand on each other, the highest bar fills the box, and small values are seen', () => {
  const parts = barParts([
    { key: 'a', values: [100, 100] },
    { key: 'b', values: [0, 0.001] },
  ]);
  assert.deepEqual(
    parts.map(({ y, height, part, bar }) => [bar, part, y, height]),
    [
      [0, 0, 60, 60],
      [0, 1, 0, 60],
      [1, 1, 119, 1],
    ],
  );
  assert.deepEqual(barParts([]), []);
  assert.equal(barParts(Array.from({ length: 10_000 }, (_, i) => ({ key: String(i), values: [1] }))).length, 10_000);
});
