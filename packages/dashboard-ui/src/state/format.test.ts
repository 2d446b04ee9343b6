import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, formatBytes, formatCount, formatDateTime, formatRate, formatTime } from './format.js';
import { shownZone } from './shown-zone.js';

test('numbers, rates, amounts and bytes are written for people', () => {
  assert.deepEqual([formatCount(0), formatCount(1_234_567)], ['0', '1,234,567']);
  assert.deepEqual(
    [formatRate(null), formatRate(0.25), formatRate(12.6), formatRate(1_234.5)],
    ['–', '0.3', '13', '1,235'],
  );
  assert.deepEqual([formatAmount(1, 'node', 'nodes'), formatAmount(0, 'node', 'nodes')], ['1 node', '0 nodes']);
  assert.deepEqual(
    [formatBytes(0), formatBytes(1023), formatBytes(1229), formatBytes(2 ** 30)],
    ['0 B', '1,023 B', '1.2 KB', '1 GB'],
  );
});

test('dates are written so that they sort, with milliseconds where there are any', () => {
  assert.equal(formatDateTime(new Date(2024, 0, 2, 3, 4, 5).getTime()), '2024-01-02 03:04:05');
  assert.equal(formatDateTime(new Date(2024, 0, 2, 3, 4, 5, 60).getTime()), '2024-01-02 03:04:05.060');
  shownZone.value = 'Asia/Kolkata';
  assert.equal(formatDateTime(Date.UTC(2023, 11, 31, 20)), '2024-01-01 01:30:00');
  assert.equal(formatTime(Date.UTC(2023, 11, 31, 20)), '01:30:00');
});
