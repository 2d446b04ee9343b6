import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JoinedIds } from './joined-ids.js';

test('an id keeps each of its buckets once, few of them and many', () => {
  let charged = 0;
  const ids = new JoinedIds(3, (bytes) => (charged += bytes));
  for (let round = 0; round < 3; round++) for (let bucket = 0; bucket < 1000; bucket++) ids.add(1, bucket);
  ids.add(0, 7);
  ids.add(0, 7);
  const bucketsOf = (id: number): number[] => {
    const found: number[] = [];
    for (let entry = ids.first(id); entry >= 0; entry = ids.next(entry)) found.push(ids.bucket(entry));
    return found.sort((a, b) => a - b);
  };
  assert.deepEqual(bucketsOf(0), [7]);
  assert.deepEqual(bucketsOf(2), []);
  assert.deepEqual(
    bucketsOf(1),
    Array.from({ length: 1000 }, (_, i) => i),
  );
  assert.ok(charged > 1000 * 8);
});
