import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heapGrowthPercent } from './heap-growth.js';

const MB = 2 ** 20;

test('a small heap may grow far while the budget has room, and by half only when it has not', () => {
  assert.equal(heapGrowthPercent(512 * MB, 110 * MB, 20 * MB), 400);
  assert.equal(heapGrowthPercent(512 * MB, 200 * MB, 40 * MB), 150);
  assert.equal(heapGrowthPercent(512 * MB, 300 * MB, 40 * MB), 50);
  assert.equal(heapGrowthPercent(512 * MB, 600 * MB, 40 * MB), 50);
});
