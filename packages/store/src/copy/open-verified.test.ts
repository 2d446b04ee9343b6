import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStore, type KeyValueStores, seededRandom } from '@shoal/doors';
import { batchKey, numberedKey } from '../level/keys.js';
import { openShardStore } from '../open-shard-store.js';
import { change, emptyCommit, replayed, world, write } from '../testing/store-world.js';

const plain = (value: Uint8Array): number[] => [...value];

test('a lost last batch is found by the witness, and the marker refuses every later open', async () => {
  const { options, stores, files } = world();
  const store = await openShardStore(options);
  await write(store, 0, 3);
  await write(store, 4, 4);
  await store.close();
  await change(stores, (level) =>
    level.batch(
      [
        { type: 'del', key: batchKey(4, 2) },
        { type: 'del', key: numberedKey('operation', 4) },
      ],
      { sync: true },
    ),
  );
  await assert.rejects(openShardStore(options), {
    type: 'corrupt_index_exception',
    message: 'the log ends at batch [1], but [2] was written',
  });
  assert.match(String(await files.read('shard/marker')), /the log ends at batch/);
  await assert.rejects(openShardStore(options), { type: 'corrupt_index_exception', message: /marked as damaged/ });
});

test('a hole in the log, a changed operation and an operation that nobody wrote are found at open', async () => {
  const edits: Record<string, (level: KeyValueStore) => Promise<void>> = {
    hole: (level) => level.batch([{ type: 'del', key: numberedKey('operation', 2) }], { sync: true }),
    missingHeader: (level) => level.batch([{ type: 'del', key: batchKey(0, 1) }], { sync: true }),
    flippedBit: async (level) => {
      const value = level.get(numberedKey('operation', 1))!.slice();
      value[5]! ^= 4;
      await level.batch([{ type: 'put', key: numberedKey('operation', 1), value }], { sync: true });
    },
    misplaced: async (level) => {
      const value = level.get(numberedKey('operation', 1))!;
      await level.batch([{ type: 'put', key: numberedKey('operation', 5), value }], { sync: true });
    },
  };
  for (const [name, edit] of Object.entries(edits)) {
    const { options, stores } = world();
    const store = await openShardStore(options);
    await write(store, 0, 1);
    await write(store, 2, 4);
    await store.close();
    await change(stores, edit);
    const open = async (): Promise<void> => void (await replayed(await openShardStore(options)));
    await assert.rejects(open, { type: 'corrupt_index_exception' }, name);
  }
});

test('a lost commit point is damage, not an empty shard', async () => {
  const { options, stores } = world();
  const store = await openShardStore(options);
  await write(store, 0, 1);
  await store.writeCommit(emptyCommit(1));
  await store.close();
  await change(stores, (level) => level.batch([{ type: 'del', key: numberedKey('commit', 1) }], { sync: true }));
  await assert.rejects(openShardStore(options), { type: 'corrupt_index_exception' });
});

test('a store whose files were exchanged for an empty one is damage', async () => {
  const { options, stores } = world();
  const store = await openShardStore(options);
  await write(store, 0, 1);
  await store.close();
  await stores.destroy('shard/db');
  await assert.rejects(openShardStore(options), {
    type: 'corrupt_index_exception',
    message: 'identity of the store is missing',
  });
});

test('a missing witness is damage', async () => {
  const { options, files } = world();
  const store = await openShardStore(options);
  await write(store, 0, 1);
  await store.close();
  await files.remove('shard/witness');
  await assert.rejects(openShardStore(options), {
    type: 'corrupt_index_exception',
    message: 'the witness of the log is missing',
  });
});

test('segments that no commit knows are removed at open; committed ones stay, with their deletes', async () => {
  const { options } = world();
  const store = await openShardStore(options);
  const sealed = [];
  for (const segment of [0, 1]) {
    const writer = store.writer(segment);
    await writer.write('p', Uint8Array.of(segment));
    sealed.push(await writer.finish());
  }
  const live = { words: Int32Array.of(5), isChanged: true };
  const draft = {
    ...emptyCommit(-1),
    nextSegment: 2,
    segments: [{ segment: 1, maxDoc: 3, deletedDocs: 1, live, ...sealed[1]! }],
  };
  await store.writeCommit(draft);
  await store.close();
  const again = await openShardStore(options);
  assert.deepEqual([...again.live(again.commit!.segments[0]!)!], [5]);
  assert.deepEqual(plain(again.segment(1, sealed[1]!.rootHash).chunk('p', 0)), [1]);
  assert.throws(() => again.segment(0, null), { type: 'corrupt_index_exception' });
  await again.close();
});

test('a store whose creation was interrupted, twice even, is created by the next open', async () => {
  const { options, stores } = world();
  const broken: KeyValueStores = {
    ...stores,
    open: async (location) => ({
      ...(await stores.open(location)),
      batch: () => Promise.reject(new Error('the process ended')),
    }),
  };
  for (let i = 0; i < 2; i++)
    await assert.rejects(openShardStore({ ...options, stores: broken, random: seededRandom(i) }));
  const store = await openShardStore(options);
  await write(store, 0, 0);
  await store.close();
  const again = await openShardStore(options);
  assert.deepEqual(await replayed(again), [0]);
  await again.close();
});

test('operations of an import that did not come to its commit are gone at the next open', async () => {
  const { options } = world();
  const other = await openShardStore({ ...options, path: 'other' });
  await write(other, 0, 3);
  const records = [0, 1, 2].map((seqNo) => [seqNo, other.record(seqNo)!] as const);
  await other.close();
  const store = await openShardStore(options);
  await store.importRecords(records);
  await store.close();
  const again = await openShardStore(options);
  assert.deepEqual(await replayed(again), []);
  await write(again, 0, 0);
  await again.close();
});
