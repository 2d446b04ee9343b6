import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { partOfShard } from './slices.js';

test('with enough shards a slice is whole shards', () => {
  const of = (id: number) => Array.from({ length: 5 }, (_, shard) => partOfShard({ id, max: 2 }, shard, 5));
  assert.deepEqual(of(0), ['all', 'none', 'all', 'none', 'all']);
  assert.deepEqual(of(1), ['none', 'all', 'none', 'all', 'none']);
});

test('all slices together cover every shard exactly once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 40 }), (shards, max) => {
      for (let shard = 0; shard < shards; shard++) {
        const parts = Array.from({ length: max }, (_, id) => partOfShard({ id, max }, shard, shards)).filter(
          (part) => part !== 'none',
        );
        if (parts.includes('all')) assert.equal(parts.length, 1);
        else {
          const slices = parts as { id: number; max: number }[];
          assert.deepEqual(
            slices.map((slice) => slice.id),
            Array.from({ length: slices.length }, (_, i) => i),
          );
          for (const slice of slices) assert.equal(slice.max, slices.length);
        }
      }
    }),
  );
});
