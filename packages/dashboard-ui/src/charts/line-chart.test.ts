import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePath } from './line-chart.js';

test('a line begins anew after a gap, and zeros lie at the bottom', () => {
  assert.equal(linePath([0, 10, null, 5], 10), 'M0.0 120.0 L200.0 0.0 M600.0 60.0');
  assert.equal(linePath([0, 0], 0), 'M0.0 120.0 L600.0 120.0');
  assert.equal(linePath([], 0), '');
  assert.equal(linePath([3], 3), 'M0.0 0.0');
});
