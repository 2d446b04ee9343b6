import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantAtWall, isoInZone, offsetText, wallClock, zoneNamed, zoneOffset } from './zone-calendar.js';

const HOUR = 3_600_000;

test('offsets are those of the zone at the instant', () => {
  const table: readonly (readonly [zone: string, at: number, offset: number])[] = [
    ['UTC', 0, 0],
    ['Europe/Berlin', Date.UTC(2024, 0, 1), HOUR],
    ['Europe/Berlin', Date.UTC(2024, 6, 1), 2 * HOUR],
    ['Asia/Kathmandu', Date.UTC(2024, 6, 1), 5.75 * HOUR],
    ['America/St_Johns', Date.UTC(2024, 0, 1), -3.5 * HOUR],
  ];
  for (const [zone, at, offset] of table) assert.equal(zoneOffset(at, zone), offset, zone);
  assert.deepEqual([0, HOUR, -3.5 * HOUR].map(offsetText), ['Z', '+01:00', '-03:30']);
  assert.deepEqual(['europe/berlin', 'utc', 'Mars/Base', ''].map(zoneNamed), ['Europe/Berlin', 'UTC', null, null]);
});

test('a wall clock leads back to its instant; the first of two, and past what clocks skip', () => {
  const wall = (...parts: [number, number, number, number, number]): number =>
    instantAtWall(new Date(Date.UTC(...parts)), 'Europe/Berlin');
  assert.equal(wall(2024, 2, 31, 1, 59), Date.UTC(2024, 2, 31, 0, 59));
  assert.equal(wall(2024, 2, 31, 2, 30), Date.UTC(2024, 2, 31, 1, 30), 'skipped: 03:30 of summer');
  assert.equal(wall(2024, 2, 31, 3, 0), Date.UTC(2024, 2, 31, 1));
  assert.equal(wall(2024, 9, 27, 2, 30), Date.UTC(2024, 9, 27, 0, 30), 'twice: that of summer');
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2025, 0, 1); at += 7 * HOUR)
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])
      if (zoneOffset(at - HOUR, zone) === zoneOffset(at, zone))
        assert.equal(instantAtWall(wallClock(at, zone), zone), at);
});

test('dates of the cluster are written in a zone with all their digits, and other texts as they are', () => {
  const table: readonly (readonly [text: string, shown: string])[] = [
    ['2024-01-31T12:00:00.123456789Z', '2024-01-31T13:00:00.123456789+01:00'],
    ['2024-07-31T23:30:00Z', '2024-08-01T01:30:00+02:00'],
    ['2024-07-31', '2024-07-31T02:00:00+02:00'],
    ['2024-07-31T10:00+05:00', '2024-07-31T07:00:00+02:00'],
    ['1714559400000', '1714559400000'],
    ['2024-13-31T00:00:00Z', '2024-13-31T00:00:00Z'],
    ['yesterday', 'yesterday'],
  ];
  for (const [text, shown] of table) assert.equal(isoInZone(text, 'Europe/Berlin'), shown, text);
  assert.equal(isoInZone('2024-02-19T23:00:00.000Z', 'UTC'), '2024-02-19T23:00:00.000Z');
});
