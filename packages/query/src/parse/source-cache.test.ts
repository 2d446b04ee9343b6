import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceCache } from './source-cache.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('what was made of a source is found by its text and variant', () => {
  const cache = new SourceCache<number>(1 << 20);
  cache.put(cache.keyOf('a', bytes('{"size":1}'))!, 1);
  assert.equal(cache.get(cache.keyOf('a', bytes('{"size":1}'))!), 1);
  assert.equal(cache.get(cache.keyOf('b', bytes('{"size":1}'))!), undefined);
  assert.equal(cache.get(cache.keyOf('a', bytes('{"size":2}'))!), undefined);
});

test('long sources are not kept', () => {
  assert.equal(new SourceCache<number>(1 << 20).keyOf('', Buffer.alloc(5000)), null);
});

test('sources in use stay, others go when the bytes are used up', () => {
  const cache = new SourceCache<number>(40_000);
  cache.put('used', -1);
  cache.put('unused', -2);
  for (let i = 0; i < 100; i++) {
    cache.put(`other ${i}`, i);
    assert.equal(cache.get('used'), -1);
  }
  assert.equal(cache.get('unused'), undefined);
  assert.equal(cache.get('other 0'), undefined);
  assert.equal(cache.get('other 99'), 99);
});
