import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { closedSets, type ItemSet, type Transactions } from './closed-sets.js';

function transactionsOf(lists: readonly (readonly number[])[], itemCount: number): Transactions {
  const starts = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => (starts[i + 1] = starts[i]! + list.length));
  return { starts, items: Int32Array.from(lists.flat()), weights: new Float64Array(lists.length).fill(1), itemCount };
}

/** All closed sets, by trying every set. */
function byTrying(lists: readonly (readonly number[])[], itemCount: number, minWeight: number): ItemSet[] {
  const found: ItemSet[] = [];
  for (let mask = 1; mask < 1 << itemCount; mask++) {
    const items = Array.from({ length: itemCount }, (_, i) => i).filter((i) => (mask & (1 << i)) !== 0);
    const having = lists.filter((list) => items.every((item) => list.includes(item)));
    const isClosed = !Array.from({ length: itemCount }, (_, i) => i).some(
      (i) => !items.includes(i) && having.every((list) => list.includes(i)),
    );
    if (having.length >= minWeight && isClosed) found.push({ items, weight: having.length });
  }
  return found.sort(
    (a, b) => b.weight - a.weight || b.items.length - a.items.length || Number(String(a.items) > String(b.items)) - 0.5,
  );
}

const list = fc.uniqueArray(fc.nat(6), { maxLength: 7 }).map((items) => items.toSorted((a, b) => a - b));

test('closed sets are those that trying every set finds, and the best of them', () =>
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (lists, minWeight) => {
      const data = transactionsOf(lists, 7);
      const options = { minWeight, minSize: 1, stepsMax: 1e9 };
      const expected = byTrying(lists, 7, minWeight);
      assert.deepEqual(closedSets(data, { ...options, size: 1000 }), expected);
      assert.deepEqual(closedSets(data, { ...options, size: 3 }), expected.slice(0, 3));
      const large = expected.filter(({ items }) => items.length >= 3);
      assert.deepEqual(closedSets(data, { ...options, size: 2, minSize: 3 }), large.slice(0, 2));
    }),
    { numRuns: runs(200) },
  ));

test('a search that takes too long ends', () => {
  const lists = Array.from({ length: 40 }, (_, i) => Array.from({ length: 40 }, (_, k) => k).filter((k) => k !== i));
  const options = { minWeight: 1, minSize: 1, size: 1e6, stepsMax: 1e6 };
  assert.equal(closedSets(transactionsOf(lists, 40), options), null);
});
