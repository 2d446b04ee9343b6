import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_STATS } from './empty-stats.js';
import { sumStats } from './sum-stats.js';

test('the sum of nothing is zero in every section', () => {
  assert.deepEqual(sumStats([]), EMPTY_STATS);
});

test('numbers are added, also those of fields and groups that one side only has', () => {
  const sum = sumStats([
    {
      docs: { count: 2, deleted: 1 },
      fielddata: { memory_size_in_bytes: 4, fields: { a: { memory_size_in_bytes: 4 } } },
    },
    { docs: { count: 3 }, fielddata: { memory_size_in_bytes: 6, fields: { b: { memory_size_in_bytes: 6 } } } },
  ]);
  assert.deepEqual(sum.docs, { count: 5, deleted: 1 });
  assert.deepEqual((sum.fielddata as unknown as { fields: unknown }).fields, {
    a: { memory_size_in_bytes: 4 },
    b: { memory_size_in_bytes: 6 },
  });
});

test('ages and unsafe timestamps are maxima, throttling is true once any shard is', () => {
  const sum = sumStats([
    {
      segments: { max_unsafe_auto_id_timestamp: -1 },
      translog: { earliest_last_modified_age: 7 },
      indexing: { is_throttled: true },
    },
    {
      segments: { max_unsafe_auto_id_timestamp: 9 },
      translog: { earliest_last_modified_age: 3 },
      indexing: { is_throttled: false },
    },
  ]);
  assert.equal(sum.segments.max_unsafe_auto_id_timestamp, 9);
  assert.equal(sum.translog.earliest_last_modified_age, 7);
  assert.equal(sum.indexing.is_throttled, true);
});

test('sections of a single shard are left out of sums', () => {
  assert.ok(!('commit' in sumStats([{ commit: { id: 'x' } }])));
});
