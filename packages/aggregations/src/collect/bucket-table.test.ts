import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketTable } from './bucket-table.js';

test('pairs added together get the numbers that they get one by one', () => {
  const [single, many] = [bucketTable(() => {}), bucketTable(() => {})];
  for (let round = 0; round < 4; round++) {
    const owners = Int32Array.from({ length: 1000 }, (_, i) => (i * 7 + round) % 5);
    const keys = Float64Array.from({ length: 1000 }, (_, i) => ((i * 31) % 263) / (i % 3 === 0 ? 2 : 1));
    const wanted = Int32Array.from(owners, (owner, i) => single.add(owner, keys[i]!));
    many.addAll(owners, keys, owners.length, owners);
    assert.deepEqual(owners, wanted);
  }
  assert.equal(many.size, single.size);
  assert.deepEqual(many.keys.slice(0, many.size), single.keys.slice(0, single.size));
  assert.deepEqual(many.owners.slice(0, many.size), single.owners.slice(0, single.size));
});

test('without owners all pairs belong to bucket 0', () => {
  const table = bucketTable(() => {});
  const ids = new Int32Array(3);
  table.addAll(null, Float64Array.of(4, 2.5, 4), 3, ids);
  assert.deepEqual(ids, Int32Array.of(0, 1, 0));
  assert.equal(table.find(0, 2.5), 1);
});
