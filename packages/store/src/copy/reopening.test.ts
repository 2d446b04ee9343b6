import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStores, memoryStores } from '@shoal/doors';
import { openShardStore } from '../open-shard-store.js';
import { operation, replayed, world, write } from '../testing/store-world.js';

/** Stores whose batches fail with an error, as on a full disk, until the test ends that. */
function failingStores(
  inner: KeyValueStores,
  state: { failWith: string | null; appliesFirst: boolean },
): KeyValueStores {
  return {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      return {
        ...store,
        async batch(operations, how) {
          if (state.failWith === null) return store.batch(operations, how);
          const message = state.failWith;
          state.failWith = null;
          if (state.appliesFirst) await store.batch(operations, how);
          throw new Error(message);
        },
      };
    },
  };
}

for (const appliesFirst of [false, true]) {
  test(
    'a full disk once: the store is reopened and the batch ' + `${appliesFirst ? 'found in it' : 'written again'}`,
    async () => {
      const state = { failWith: null as string | null, appliesFirst };
      const { options } = world(failingStores(memoryStores(), state));
      const store = await openShardStore(options);
      await write(store, 0, 2);
      state.failWith = 'IO error: No space left on device';
      await write(store, 3, 5);
      assert.equal(store.failure, null);
      await store.close();
      const again = await openShardStore(options);
      assert.deepEqual(await replayed(again), [0, 1, 2, 3, 4, 5]);
      await again.close();
    },
  );
}

test(
  'after a failed write of a segment the handle is never written ' + 'again: the next operation reopens the store',
  async () => {
    const state = { failWith: null as string | null, appliesFirst: false };
    const inner = memoryStores();
    let opens = 0;
    const counting: KeyValueStores = { ...inner, open: (location) => (opens++, inner.open(location)) };
    const { options } = world(failingStores(counting, state));
    const store = await openShardStore(options);
    await write(store, 0, 0);
    state.failWith = 'IO error: No space left on device';
    const writer = store.writer(0);
    await writer.write('terms', Uint8Array.of(1));
    await assert.rejects(writer.finish(), /No space left/);
    await write(store, 1, 1);
    assert.equal(opens, 2);
    await store.close();
    const again = await openShardStore(options);
    assert.deepEqual(await replayed(again), [0, 1]);
    await again.close();
  },
);

test('an I/O error fails the shard at once: nothing later is acknowledged', async () => {
  const state = { failWith: null as string | null, appliesFirst: false };
  const { options } = world(failingStores(memoryStores(), state));
  const store = await openShardStore(options);
  await write(store, 0, 0);
  state.failWith = 'IO error: Input/output error';
  await assert.rejects(write(store, 1, 1), { type: 'i_o_exception' });
  assert.throws(() => store.append(operation(2)));
  await assert.rejects(store.acknowledged());
  await store.close();
  const again = await openShardStore(options);
  assert.deepEqual(await replayed(again), [0]);
  await again.close();
});

test('a store is opened anew only when no other handle of it is left', async () => {
  const state = { failWith: null as string | null, appliesFirst: false };
  const inner = memoryStores();
  let opens = 0;
  const counting: KeyValueStores = { ...inner, open: (location) => (opens++, inner.open(location)) };
  const { options } = world(failingStores(counting, state));
  const store = await openShardStore(options);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  store.whenOthersEnd(() => ended);
  state.failWith = 'IO error: No space left on device';
  const written = write(store, 0, 0);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(opens, 1);
  end();
  await written;
  assert.equal(opens, 2);
  await store.close();
});

test('a batch in flight when a store fails is witnessed before the store is closed', async () => {
  const inner = memoryStores();
  let finish: () => void = () => undefined;
  let isHeld = false;
  const slow: KeyValueStores = {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      return {
        ...store,
        async batch(operations, how) {
          if (isHeld) await new Promise<void>((resolve) => (finish = resolve));
          return store.batch(operations, how);
        },
      };
    },
  };
  const { options } = world(slow);
  const store = await openShardStore(options);
  await write(store, 0, 0);
  isHeld = true;
  const acknowledged = write(store, 1, 1);
  store.fail(new Error('found outside'));
  const closed = store.close();
  isHeld = false;
  finish();
  await Promise.all([acknowledged, closed]);
  assert.deepEqual(await replayed(await openShardStore({ ...options, stores: inner })), [0, 1]);
});

test('a write that succeeds behind a failed one counts as failed: LevelDB loses it at the next open', async () => {
  const inner = memoryStores();
  let fail: () => void = () => undefined;
  let isFull = false;
  const full: KeyValueStores = {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      let isTainted = false;
      return {
        ...store,
        async batch(operations, how) {
          if (isTainted) return;
          if (!isFull) return store.batch(operations, how);
          isFull = false;
          isTainted = true;
          await new Promise<void>((resolve) => (fail = resolve));
          throw new Error('IO error: No space left on device');
        },
      };
    },
  };
  const { options } = world(full);
  const store = await openShardStore(options);
  await write(store, 0, 0);
  isFull = true;
  const writer = store.writer(0);
  void writer.write('terms', Uint8Array.of(1));
  const segment = assert.rejects(writer.finish(), /No space left/);
  const acknowledged = write(store, 1, 1);
  setImmediate(() => fail());
  await Promise.all([segment, acknowledged]);
  await store.close();
  assert.deepEqual(await replayed(await openShardStore({ ...options, stores: inner })), [0, 1]);
});
