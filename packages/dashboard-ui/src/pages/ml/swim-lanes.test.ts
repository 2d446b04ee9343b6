import assert from 'node:assert/strict';
import { test } from 'node:test';
import { severityOf, swimLanes } from './swim-lanes.js';

test('cells have the greatest score of their buckets, lanes the greatest first', () => {
  const results = [
    { at: 0, score: 5, name: null },
    { at: 300, score: 80, name: null },
    { at: 100, score: 10, name: 'host: a' },
    { at: 300, score: 90, name: 'host: b' },
    { at: 350, score: 20, name: 'host: b' },
  ];
  assert.deepEqual(swimLanes(results, 100, 2), {
    times: [0, 200],
    spanMs: 200,
    lanes: [
      { name: 'Overall', scores: [5, 80] },
      { name: 'host: b', scores: [0, 90] },
      { name: 'host: a', scores: [10, 0] },
    ],
  });
  assert.equal(swimLanes([], 100, 2), null);
});

test('severities begin where those of 8.12 do', () => {
  assert.deepEqual([0.9, 1, 25, 50, 75].map(severityOf), ['none', 'warning', 'minor', 'major', 'critical']);
});
