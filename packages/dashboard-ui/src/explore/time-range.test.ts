import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownZone } from '../state/shown-zone.js';
import { bucketEnd, instantOf, intervalOf, isoText, rangeName, spanOf } from './time-range.js';

const NOW = new Date(2024, 4, 15, 13, 45, 30, 500).getTime();
const local = (...parts: [number, number, number?, number?, number?, number?, number?]): number =>
  new Date(...(parts as [number, number])).getTime();

test('date math is that of the cluster, in the local calendar', () => {
  const table: readonly (readonly [string, boolean, number])[] = [
    ['now', false, NOW],
    ['now-15m', false, NOW - 900_000],
    ['now+1h-30s', false, NOW + 3_570_000],
    ['now/d', false, local(2024, 4, 15)],
    ['now/d', true, local(2024, 4, 16) - 1],
    ['now-1M/M', false, local(2024, 3, 1)],
    ['now-1M/M', true, local(2024, 4, 1) - 1],
    ['now/w', false, local(2024, 4, 13)],
    ['now-1y/y', false, local(2023, 0, 1)],
    ['now/h', false, local(2024, 4, 15, 13)],
  ];
  for (const [text, isEnd, at] of table) assert.equal(instantOf(text, NOW, isEnd), at, text);
});

test('dates are local unless they have a zone, and an end takes the whole of what is named', () => {
  assert.equal(instantOf('2024-05-01', NOW, false), local(2024, 4, 1));
  assert.equal(instantOf('2024-05-01', NOW, true), local(2024, 4, 2) - 1);
  assert.equal(instantOf('2024-05', NOW, true), local(2024, 5, 1) - 1);
  assert.equal(instantOf('2024-05-01T10:30', NOW, true), local(2024, 4, 1, 10, 31) - 1);
  assert.equal(instantOf('2024-05-01 10:30:05', NOW, false), local(2024, 4, 1, 10, 30, 5));
  assert.equal(instantOf('2024-05-01T10:30:00.250Z', NOW, true), Date.UTC(2024, 4, 1, 10, 30, 0, 250));
  assert.equal(instantOf('2024-05-01T10:30:00+02:00', NOW, false), Date.UTC(2024, 4, 1, 8, 30));
  assert.equal(instantOf('1714559400000', NOW, false), 1_714_559_400_000);
});

test('what is no time is none', () => {
  for (const text of ['', 'then', 'now-', 'now-1x', '2024-13-01', '2024-02-30', '2024-05-01T25:00', '9'.repeat(16)])
    assert.equal(instantOf(text, NOW, false), null, text);
  assert.equal(spanOf({ from: 'now', to: 'now-1h' }, NOW), null);
  assert.deepEqual(spanOf({ from: 'now-1h', to: 'now' }, NOW), { from: NOW - 3_600_000, to: NOW });
});

test('ranges have names', () => {
  assert.equal(rangeName('all'), 'All time');
  assert.equal(rangeName({ from: 'now-24h', to: 'now' }), 'Last 24 hours');
  assert.equal(rangeName({ from: 'now-1h', to: 'now' }), 'now-1h to now');
});

test('charts have at most about 60 buckets, whatever the span', () => {
  const span = (ms: number): { from: number; to: number } => ({ from: 0, to: ms });
  assert.equal(intervalOf(span(0)).name, '1 millisecond');
  assert.equal(intervalOf(span(900_000)).name, '30 seconds');
  assert.equal(intervalOf(span(86_400_000)).name, '30 minutes');
  assert.equal(intervalOf(span(30 * 86_400_000)).name, '12 hours');
  assert.equal(intervalOf(span(3 * 365 * 86_400_000)).name, '1 month');
  assert.deepEqual(intervalOf(span(9_999 * 365 * 86_400_000)).interval, { fixed_interval: '365000d' });
  assert.equal(isoText(0), '1970-01-01T00:00:00.000Z');
});

test('days and longer buckets are those of the zone, also where clocks change', () => {
  const zone = 'Europe/Berlin';
  const noon = Date.UTC(2024, 2, 31, 10);
  assert.equal(instantOf('now/d', noon, false, zone), Date.UTC(2024, 2, 30, 23));
  assert.equal(instantOf('now/d', noon, true, zone), Date.UTC(2024, 2, 31, 22) - 1);
  assert.equal(instantOf('now-1d', noon, false, zone), Date.UTC(2024, 2, 30, 11));
  assert.equal(instantOf('2024-07-01', noon, false, zone), Date.UTC(2024, 5, 30, 22));
  assert.equal(instantOf('2024-07-01T08:00', noon, false, 'America/New_York'), Date.UTC(2024, 6, 1, 12));
  const month = intervalOf({ from: 0, to: 3 * 365 * 86_400_000 });
  shownZone.value = zone;
  assert.equal(bucketEnd(Date.UTC(2024, 2, 31, 22) - 31 * 86_400_000 + 3_600_000, month), Date.UTC(2024, 2, 31, 22));
  shownZone.value = 'UTC';
  assert.equal(bucketEnd(Date.UTC(2024, 1, 1), month), Date.UTC(2024, 2, 1));
  assert.equal(bucketEnd(0, intervalOf({ from: 0, to: 900_000 })), 30_000);
});
