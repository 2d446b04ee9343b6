import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNodeStats } from './cluster-info.js';

test('statistics of nodes are added key by key, lists of clients joined', () => {
  const one = { get: { threads: 4, completed: 10 }, clients: [{ id: 1 }] };
  const two = { get: { threads: 2, completed: 1 }, write: { threads: 1 }, clients: [{ id: 2 }] };
  assert.deepEqual(addNodeStats(one, two), {
    get: { threads: 6, completed: 11 },
    clients: [{ id: 1 }, { id: 2 }],
    write: { threads: 1 },
  });
  assert.deepEqual(addNodeStats(undefined, one), one);
});

test('histograms are added bucket by bucket, ordered by their bounds', () => {
  const first = [
    { lt_bytes: 1, count: 2 },
    { ge_bytes: 4, lt_bytes: 8, count: 1 },
  ];
  const second = [
    { ge_bytes: 2, lt_bytes: 4, count: 5 },
    { ge_bytes: 4, lt_bytes: 8, count: 3 },
  ];
  assert.deepEqual(addNodeStats(first, second), [
    { lt_bytes: 1, count: 2 },
    { ge_bytes: 2, lt_bytes: 4, count: 5 },
    { ge_bytes: 4, lt_bytes: 8, count: 4 },
  ]);
});
