import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRoutingShards } from './routing-shards.js';

test('routing shards are the shards doubled up to 1024', () => {
  assert.deepEqual([1, 2, 3, 5, 1024].map(defaultRoutingShards), [1024, 1024, 768, 640, 2048]);
});
