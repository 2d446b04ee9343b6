import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type KeyValueStore, type KeyValueStores, memoryStores } from '@shoal/doors';
import { createBlockCache } from './commit/block-cache.js';
import { openShardStore } from './open-shard-store.js';
import { emptyCommit, operation, replayed, world, write } from './testing/store-world.js';

test('a record that is about to be asked for is not read back, and is the one that was written', async () => {
  const stores = memoryStores();
  let reads = 0;
  const counting: KeyValueStores = {
    ...stores,
    open: async (location) => {
      const store = await stores.open(location);
      return { ...store, get: (key) => (reads++, store.get(key)) };
    },
  };
  const store = await openShardStore(world(counting).options);
  await write(store, 0, 1);
  store.keepRecords(2);
  await write(store, 2, 3);
  const before = reads;
  const kept = store.record(3);
  assert.equal(reads, before);
  store.keepRecords(Number.POSITIVE_INFINITY);
  assert.deepEqual(Buffer.from(kept!), Buffer.from(store.record(3)!));
  assert.equal(reads, before + 1);
  await store.close();
});

test('an operation comes back as it was written, before and after the sync and the reopen', async () => {
  const { options } = world();
  const store = await openShardStore(options);
  const written = operation(0);
  store.append(written);
  assert.deepEqual(
    { ...store.operation(0)!, source: String(store.operation(0)!.source) },
    { ...written, source: '{"n":0}' },
  );
  await store.synced();
  assert.equal(store.persistedSeqNo(), 0);
  await store.close();
  const again = await openShardStore(options);
  assert.deepEqual(
    { ...again.operation(0)!, source: String(again.operation(0)!.source) },
    { ...written, source: '{"n":0}' },
  );
  assert.equal(again.operation(1), undefined);
  await again.close();
});

test('an open replays the operations above the commit, in order', async () => {
  const { options } = world();
  const store = await openShardStore(options);
  await write(store, 0, 9);
  await store.writeCommit(emptyCommit(4));
  await write(store, 10, 12);
  await store.close();
  const again = await openShardStore(options);
  assert.equal(again.commit!.maxSeqNo, 4);
  assert.equal(again.recoveredSeqNo, 12);
  assert.deepEqual(await replayed(again), [5, 6, 7, 8, 9, 10, 11, 12]);
  await again.writeCommit(emptyCommit(12));
  await write(again, 13, 13);
  await again.close();
  const third = await openShardStore(options);
  assert.deepEqual(await replayed(third), [13]);
  assert.equal(third.commit!.generation, 2);
  await third.close();
});

test('writers that come while a batch is synced share the next one', async () => {
  const inner = memoryStores();
  let batches = 0;
  const counting: KeyValueStores = {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      return { ...store, batch: (operations, how) => ((batches += how.sync ? 1 : 0), store.batch(operations, how)) };
    },
  };
  const store = await openShardStore(world(counting).options);
  batches = 0;
  const acknowledged: Promise<void>[] = [];
  for (let seqNo = 0; seqNo < 50; seqNo++) {
    store.append(operation(seqNo));
    acknowledged.push(store.acknowledged());
  }
  await Promise.all(acknowledged);
  assert.ok(batches <= 2, `${batches} batches`);
  await store.close();
});

test('async durability acknowledges at once and syncs after its interval', async () => {
  const { options } = world();
  const clock = fakeClock();
  const store = await openShardStore({ ...options, clock });
  store.setDurability({ mode: 'async', syncIntervalMs: 5000 });
  store.append(operation(0));
  await store.acknowledged();
  assert.equal(store.persistedSeqNo(), -1);
  clock.advance(5000);
  await store.synced();
  assert.equal(store.persistedSeqNo(), 0);
  await store.close();
});

test('async durability holds writers up while more waits to be written than a bound', async () => {
  const inner = memoryStores();
  const held: (() => void)[] = [];
  let isHeld = false;
  const slow: KeyValueStores = {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      return {
        ...store,
        async batch(operations, how) {
          if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
          return store.batch(operations, how);
        },
      };
    },
  };
  const store = await openShardStore(world(slow).options);
  store.setDurability({ mode: 'async', syncIntervalMs: 5000 });
  isHeld = true;
  const megabyte = 'x'.repeat(1 << 20);
  const acknowledged: number[] = [];
  for (let seqNo = 0; seqNo < 40; seqNo++) {
    store.append(operation(seqNo, megabyte));
    void store.acknowledged().then(() => acknowledged.push(seqNo));
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(
    acknowledged.length >= 4 && acknowledged.length < 20,
    `${acknowledged.length} writes of a megabyte each acknowledged while none was written`,
  );
  isHeld = false;
  for (const resolve of held) resolve();
  await store.synced();
  assert.equal(acknowledged.length, 40);
  await store.close();
});

test(
  'a segment is read through the cache, checked chunk by chunk, ' + 'and gone after an open that does not know it',
  async () => {
    const { options, stores } = world();
    const store = await openShardStore({ ...options, cache: createBlockCache(1500) });
    const writer = store.writer(3);
    for (let i = 0; i < 5; i++) await writer.write('terms', new Uint8Array(1000).fill(i));
    const { byteSize, rootHash } = await writer.finish();
    assert.equal(byteSize, 5000);
    const bytes = store.segment(3, rootHash);
    assert.equal(bytes.id, '_3');
    assert.equal(bytes.chunkCount('terms'), 5);
    for (let i = 0; i < 5; i++) assert.equal(bytes.chunk('terms', i)[999], i);
    assert.throws(() => bytes.chunk('terms', 5), { type: 'corrupt_index_exception' });
    assert.equal(store.failure?.type, 'corrupt_index_exception');
    await store.close();
    const unmarked = world(stores);
    await assert.rejects(openShardStore({ ...options, files: unmarked.files }), { type: 'corrupt_index_exception' });
  },
);

test('a closed store leaves nothing in the cache that the shards of a thread share', async () => {
  const { options } = world();
  const store = await openShardStore(options);
  await write(store, 0, 3);
  const writer = store.writer(0);
  await writer.write('part', new Uint8Array(1000));
  await writer.finish();
  const [first, second] = [store.segment(0, null), store.segment(0, null)];
  first.chunk('part', 0);
  second.chunk('part', 0);
  second.decodedRuns.add(new Uint8Array(500), () => undefined);
  first.release();
  assert.ok(options.cache.bytes > 1000 && options.cache.decoded.bytes > 500);
  await store.close();
  assert.deepEqual([options.cache.bytes, options.cache.decoded.bytes], [0, 0]);
});

test('trimmed operations are gone and the store still opens', async () => {
  const { options } = world();
  const store = await openShardStore(options);
  await write(store, 0, 9);
  await store.writeCommit(emptyCommit(9));
  await store.trim([0, 3]);
  assert.equal(store.operation(3), undefined);
  await store.close();
  const again = await openShardStore(options);
  assert.equal(again.operation(3), undefined);
  assert.equal(again.operation(4)!.id, 'id-4');
  await again.close();
});

test(
  'writers that come within a turn of the event loop share a sync once there are several, and a lone one waits for ' +
    'nobody',
  async () => {
    const inner = memoryStores();
    const batches: number[] = [];
    const counted: KeyValueStores = {
      ...inner,
      async open(location) {
        const store = await inner.open(location);
        const batch: KeyValueStore['batch'] = (operations, how) => {
          if (how.sync) batches.push(operations.length - 1);
          return store.batch(operations, how);
        };
        return { ...store, batch };
      },
    };
    const store = await openShardStore(world(counted).options);
    batches.length = 0;
    const lone = write(store, 0, 0);
    assert.deepEqual(batches, [1]);
    await lone;
    await Promise.all([write(store, 1, 1), write(store, 2, 2), write(store, 3, 3)]);
    assert.deepEqual(batches, [1, 1, 2]);
    await Promise.all([write(store, 4, 4), write(store, 5, 5), write(store, 6, 6)]);
    assert.deepEqual(batches, [1, 1, 2, 3]);
    await write(store, 7, 7);
    assert.deepEqual(batches, [1, 1, 2, 3, 1]);
    const alone = write(store, 8, 8);
    assert.equal(batches.length, 6);
    await alone;
    await store.close();
  },
);

test(
  'of a log that another copy has told of the newest head is ' + 'kept, however often that copy was assigned anew',
  async () => {
    const { options } = world();
    const store = await openShardStore(options);
    const [log, other] = [1, 2].map((n) => new Uint8Array(16).fill(n)) as [Uint8Array, Uint8Array];
    const head = (allocationId: string, chainId: Uint8Array, batch: number) => ({
      allocationId,
      chainId,
      batch,
      link: new Uint8Array(16).fill(batch),
    });
    for (let i = 1; i <= 9; i++) store.notePeer(head(`copy-${i}`, log, i));
    store.notePeer(head('elsewhere', other, 4));
    store.notePeer(head('set-back', log, 3));
    await write(store, 0, 0);
    assert.deepEqual([...store.peers.keys()], ['copy-9', 'elsewhere', 'set-back']);
    await store.close();
    const again = await openShardStore(options);
    assert.deepEqual([...again.peers.keys()], ['copy-9', 'elsewhere', 'set-back']);
    assert.equal(again.seenOf(head('copy-10', log, 1))?.batch, 9);
    await again.close();
  },
);
