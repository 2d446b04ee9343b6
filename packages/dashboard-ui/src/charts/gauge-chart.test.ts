import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gaugeShare } from './gauge-chart.js';

test('a gauge is between empty and full', () => {
  assert.deepEqual([gaugeShare(50, 200), gaugeShare(-1, 200), gaugeShare(500, 200)], [25, 0, 100]);
  assert.equal(gaugeShare(1, 0), 0);
});
