import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateBuckets, type Reading } from './readings.js';

const reading = (at: number, indexedPerSecond: number | null, searchesPerSecond: number | null = 0): Reading => ({
  at,
  status: 'green',
  nodes: [],
  master: null,
  indices: 0,
  documents: 0,
  shards: { active: 0, starting: 0, unassigned: 0 },
  indexedPerSecond,
  searchesPerSecond,
});

test('rates are averaged, and unknown ones are no zero', () => {
  const buckets = rateBuckets(
    [reading(60_000, null), reading(65_000, 4), reading(125_000, 1), reading(130_000, 3)],
    60_000,
    4,
  );
  assert.deepEqual(
    buckets.map(({ at, indexed }) => [at, indexed]),
    [
      [-60_000, null],
      [0, null],
      [60_000, 4],
      [120_000, 2],
    ],
  );
  assert.equal(rateBuckets([], 60_000, 2).length, 2);
});
