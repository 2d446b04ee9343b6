import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ringParts } from './ring-chart.js';

test('parts follow each other around the ring, and nothing is no part', () => {
  assert.deepEqual(ringParts([3, 0, 1]), [
    { at: 0, start: 0, length: 75 },
    { at: 2, start: 75, length: 25 },
  ]);
  assert.deepEqual(ringParts([-5, 2]), [{ at: 1, start: 0, length: 100 }]);
  assert.deepEqual([ringParts([]), ringParts([0, 0])], [[], []]);
});
