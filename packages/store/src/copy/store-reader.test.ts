import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockCache } from '../commit/block-cache.js';
import { openShardStore } from '../open-shard-store.js';
import { operation, world, write } from '../testing/store-world.js';
import { openStoreReader } from './store-reader.js';

test('a second handle reads the operations that the owner has written, and what comes later', async () => {
  const { options, stores } = world();
  const store = await openShardStore(options);
  await write(store, 0, 3);
  const reader = await openStoreReader(stores, `${options.path}/db`, createBlockCache(1 << 16));
  for (let seqNo = 0; seqNo <= 3; seqNo++)
    assert.deepEqual(Buffer.from(reader.operation(seqNo)!.source), operation(seqNo).source);
  assert.equal(reader.operation(4), undefined);
  await write(store, 4, 4);
  assert.equal(reader.operation(4)!.id, 'id-4');
  // From its cache.
  assert.equal(reader.operation(4)!.id, 'id-4');
  await reader.close();
  await store.close();
});

test('a segment that the store lacks is damage', async () => {
  const { options, stores } = world();
  const store = await openShardStore(options);
  const reader = await openStoreReader(stores, `${options.path}/db`, createBlockCache(1 << 16));
  assert.throws(() => reader.segment(1, new Uint8Array(16)), { type: 'corrupt_index_exception' });
  await reader.close();
  await store.close();
});
