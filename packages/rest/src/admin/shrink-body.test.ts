import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shrunkShards } from './shrink-body.js';

test('an index shrinks to the fewest shards that divide its own and are not too large', () => {
  assert.equal(shrunkShards(8, 100, 1000), 1);
  assert.equal(shrunkShards(8, 100, 40), 4);
  assert.equal(shrunkShards(6, 100, 51), 2);
  assert.equal(shrunkShards(6, 1000, 10), 6);
  assert.equal(shrunkShards(5, 100, 60), 5);
});
