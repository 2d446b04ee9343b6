import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoredShards, snapshotProgress } from './progress.js';

test('running snapshots tell how many of their shards are done', () => {
  const shards_stats = { initializing: 0, started: 1, finalizing: 0, done: 2, failed: 0, total: 3 };
  const progress = snapshotProgress({ snapshots: [{ repository: 'r', snapshot: 's', shards_stats }] });
  assert.deepEqual([...progress], [['r s', '2 of 3 shards']]);
  assert.equal(snapshotProgress({}).size, 0);
});

test('of the recoveries those out of snapshots are restores', () => {
  const of = (type: string, percent: string) => ({ id: 0, type, target: { name: 'n1' }, index: { size: { percent } } });
  const json = { a: { shards: [of('SNAPSHOT', '42.5%'), of('PEER', '1.0%')] }, b: { shards: [] } };
  assert.deepEqual(restoredShards(json), [{ index: 'a', shard: 0, node: 'n1', percent: 42.5 }]);
  assert.deepEqual(restoredShards(null), []);
});
