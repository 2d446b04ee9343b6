import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { bestByScore, mergeHits } from './merge-hits.js';
import type { ShardHits } from './shard-hits.js';

/** A shard's hits in its own order: by score, then document. */
function shardWith(scores: readonly number[], target: number): ShardHits {
  const sorted = scores.toSorted((a, b) => b - a);
  return {
    target,
    docs: Int32Array.from(sorted.keys()),
    scores: Float32Array.from(sorted),
    sortValues: null,
    collapseValues: null,
  };
}

const someShards = fc.array(fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 8 }), { maxLength: 5 });

test('the best hits by score are the first of all hits in order', () => {
  fc.assert(
    fc.property(someShards, fc.nat(20), (lists, size) => {
      const shards = lists.map(shardWith);
      const all = mergeHits(shards, null, false);
      assert.deepEqual(bestByScore(shards, size), all.slice(0, size));
    }),
  );
});

test('shards that do not score give their hits in turn of the shards', () => {
  const shards = [2, 1].map(
    (count, target): ShardHits => ({
      target,
      docs: Int32Array.from({ length: count }, (_, i) => i),
      scores: null,
      sortValues: null,
      collapseValues: null,
    }),
  );
  assert.deepEqual(
    bestByScore(shards, 5).map(({ hits, at }) => [hits.target, at]),
    [
      [0, 0],
      [0, 1],
      [1, 0],
    ],
  );
});
