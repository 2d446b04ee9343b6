import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorRowCache } from '@shoal/segments';
import { CacheBudget } from './cache-budget.js';
import { createBoundedCache } from './searcher-cache.js';

const rows = new VectorRowCache(1 << 20);
const value = (bytes: number) => () => ({ value: bytes, bytes });

test('caches of many shards stay within one budget, and the least recently used entry of them all goes first', () => {
  const budget = new CacheBudget(10_000);
  const caches = Array.from({ length: 20 }, () => createBoundedCache(budget, rows));
  for (const cache of caches) cache.get('a', value(1000));
  assert.ok(budget.bytes <= 10_000, `${budget.bytes}`);
  assert.deepEqual(
    caches.slice(0, 4).map((cache) => cache.values.entryCount),
    [0, 0, 0, 0],
  );
  assert.equal(caches.at(-1)!.values.entryCount, 1);
  assert.equal(caches[0]!.values.evictions, 1);
});

test('an entry that is used again outlives one of another shard that is not', () => {
  const budget = new CacheBudget(2500);
  const [first, second] = [createBoundedCache(budget, rows), createBoundedCache(budget, rows)];
  first.get('a', value(1000));
  second.get('b', value(1000));
  first.get('a', value(1000));
  second.get('c', value(1000));
  assert.equal(first.values.hits, 1);
  assert.equal(first.values.entryCount, 1);
  assert.equal(second.values.entryCount, 1);
});

test('a closed cache gives its bytes back and keeps nothing more', () => {
  const budget = new CacheBudget(10_000);
  const cache = createBoundedCache(budget, rows);
  cache.get('a', value(1000));
  cache.values.close();
  assert.equal(budget.bytes, 0);
  assert.equal(cache.get('b', value(2)), 2);
  assert.equal(budget.bytes, 0);
});

test('the value asked for last stays though it alone is larger than the budget', () => {
  const budget = new CacheBudget(100);
  const cache = createBoundedCache(budget, rows);
  assert.equal(cache.get('a', value(1000)), 1000);
  cache.get('a', () => assert.fail('it was made again'));
});
