import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scratch } from '@shoal/query';
import { bucketTable } from './bucket-table.js';
import { growDoubles, growInts } from './growable.js';

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

/** Memory that an earlier request left full of numbers. */
function usedScratch(): Scratch {
  const scratch = new Scratch();
  for (let bytes = 1 << 10; bytes <= 1 << 18; bytes *= 2) for (let i = 0; i < 2; i++) scratch.ints(bytes / 4).fill(7);
  scratch.release();
  return scratch;
}

test('in borrowed memory, whatever it holds, pairs get the same numbers', () => {
  const [own, lent] = [bucketTable(() => {}), bucketTable(() => {}, usedScratch())];
  for (let i = 0; i < 20_000; i++) assert.equal(lent.add(i % 3, (i * i) % 10_007), own.add(i % 3, (i * i) % 10_007));
  assert.equal(lent.size, own.size);
  assert.deepEqual(lent.keys.slice(0, lent.size), own.keys.slice(0, own.size));
  assert.equal(lent.find(2, -1), -1);
});

test('numbers that arrays grow by are what they should be in borrowed memory too', () => {
  const scratch = usedScratch();
  const ints = growInts(growInts(new Int32Array(0), 10, 0, scratch).fill(3), 2000, 0, scratch);
  assert.deepEqual([ints[9], ints[ints.length - 1]], [3, 0]);
  const doubles = growDoubles(new Float64Array(0), 300, Number.POSITIVE_INFINITY, scratch);
  assert.ok(doubles.every((value) => value === Number.POSITIVE_INFINITY));
});
