import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeSums } from './whole-sums.js';

test('plain sums of whole numbers hold until they could reach 2^53, and no longer after', () => {
  const sums = wholeSums(1);
  assert.equal(sums.holds(1024, 2 ** 42), true);
  assert.equal(sums.holds(1024, 2 ** 42), false);
  assert.equal(sums.holds(1, 1), false);
  assert.equal(wholeSums(1).holds(1, Number.POSITIVE_INFINITY), false);
  assert.equal(wholeSums(2).holds(1024, 2 ** 22), false);
});
