import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultRoutingShards, routeDocument, shardsOfRouting } from './route-document.js';
import { murmur3Utf16 } from './murmur3.kernel.js';

/** Murmur3 over the bytes themselves, as the algorithm is published. */
function reference(bytes: Uint8Array): number {
  const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
  let h = 0;
  const tail = bytes.length & ~3;
  for (let i = 0; i < tail; i += 4) {
    const k = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    h ^= Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
    h = (Math.imul(rotate(h, 13), 5) + 0xe6546b64) | 0;
  }
  let k = 0;
  for (let i = bytes.length - 1; i >= tail; i--) k = (k << 8) | bytes[i]!;
  if (bytes.length > tail) h ^= Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

test('the hash of a string is Murmur3 of its UTF-16LE bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => murmur3Utf16(text) === reference(Buffer.from(text, 'utf16le')),
    ),
  );
});

test('the hash has the values that Elasticsearch publishes in its own tests', () => {
  assert.equal(murmur3Utf16('hell') >>> 0, 0x5a0cb7c3);
  assert.equal(murmur3Utf16('hello') >>> 0, 0xd7c31989);
  assert.equal(murmur3Utf16('hello w') >>> 0, 0x22ab2984);
  assert.equal(murmur3Utf16('hello wo') >>> 0, 0xdf0ca123);
});

const index = { numberOfShards: 5, numberOfRoutingShards: 640, routingPartitionSize: 1 };

test('documents with the same routing share a shard', () => {
  assert.equal(routeDocument(index, '1', 'user'), routeDocument(index, '2', 'user'));
  assert.equal(routeDocument(index, 'user', null), routeDocument(index, 'other', 'user'));
});

test('a document of a partitioned index is on one of the shards of its routing', () => {
  const partitioned = { numberOfShards: 8, numberOfRoutingShards: 1024, routingPartitionSize: 3 };
  fc.assert(
    fc.property(fc.string(), fc.string(), (id, routing) =>
      shardsOfRouting(partitioned, routing).includes(routeDocument(partitioned, id, routing)),
    ),
  );
});

test('splitting an index keeps documents on descendants of their shard', () => {
  const split = { ...index, numberOfShards: 10 };
  fc.assert(
    fc.property(fc.string(), (id) => Math.floor(routeDocument(split, id, null) / 2) === routeDocument(index, id, null)),
  );
});

test('routing shards are the shards doubled up to 1024', () => {
  assert.deepEqual([1, 2, 3, 5, 1024].map(defaultRoutingShards), [1024, 1024, 768, 640, 2048]);
});
