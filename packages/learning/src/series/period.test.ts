import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPeriod } from './period.js';

test('the period of a sawtooth on a trend is found between two steps', () => {
  const series = Float64Array.from({ length: 400 }, (_, i) => (i % 71.5) + 0.3 * i);
  const period = findPeriod(series, 4);
  assert.ok(period !== null && Math.abs(period - 71.5) < 0.6, `${period}`);
});

test('a random walk of independent values, a constant and a straight line have no period', () => {
  let state = 1;
  const draw = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  assert.equal(findPeriod(Float64Array.from({ length: 400 }, draw), 4), null);
  assert.equal(findPeriod(new Float64Array(400).fill(3), 4), null);
  assert.equal(
    findPeriod(
      Float64Array.from({ length: 400 }, (_, i) => 2 * i),
      4,
    ),
    null,
  );
});
