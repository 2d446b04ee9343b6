import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStores, memoryStores } from '@shoal/doors';
import { copyOfShard, openTestShard } from './test-shard.js';

/** Wraps stores so that batches are held back, as on a slow disk, until the test releases each. */
function slowStores(inner: KeyValueStores): {
  stores: KeyValueStores;
  hold(): void;
  letGo(count: number): Promise<void>;
} {
  const held: (() => void)[] = [];
  let isHolding = false;
  const stores: KeyValueStores = {
    ...inner,
    async open(location) {
      const store = await inner.open(location);
      return {
        ...store,
        async batch(operations, how) {
          if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
          return store.batch(operations, how);
        },
      };
    },
  };
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    stores,
    hold: () => (isHolding = true),
    async letGo(count) {
      await settle();
      for (let i = 0; i < count; i++) {
        held.shift()?.();
        await settle();
      }
    },
  };
}

test('a crash right after a commit point: operations that it overtook supersede nothing', async () => {
  const inner = memoryStores();
  const { stores, hold, letGo } = slowStores(inner);
  const shard = await openTestShard({ stores });
  const doc = (id: string, n: number) => ({ op: 'index' as const, id, source: { n } });
  await shard.write([doc('a', 1), doc('b', 1)]);
  hold();
  const flushed = shard.shard.flush();
  await letGo(0);
  // Still unwritten when the segment is finished, so that the commit point has to wait for it.
  void shard.write([doc('c', 1)]);
  await letGo(1);
  // Queued in the log behind the commit point, and never written.
  void shard.write([{ op: 'delete', id: 'a' }]);
  void shard.write([doc('b', 2)]);
  await letGo(2);
  await flushed;
  const again = await (await openTestShard({ stores: inner, files: shard.files })).reopen('crash');
  await again.write([doc('x', 1), doc('y', 1)]);
  await again.shard.flush();
  await again.shard.flush();
  assert.deepEqual([...again.visible()].sort(), [
    ['a', { n: 1 }],
    ['b', { n: 1 }],
    ['c', { n: 1 }],
    ['x', { n: 1 }],
    ['y', { n: 1 }],
  ]);
  assert.deepEqual(again.failures, []);
});

test(
  'documents that the mapping of today would refuse come back ' + 'after a crash, without the values that do not fit',
  async () => {
    const shard = await openTestShard({ mapping: { dynamic: 'false', properties: { n: { type: 'long' } } } });
    const source = { n: 1, a: 'text', b: { c: 1 }, d: 2 };
    assert.equal((await shard.write([{ op: 'index', id: '1', source }]))[0]!.error, undefined);
    const left = await copyOfShard(shard.stores, shard.files);
    const mapping = {
      dynamic: 'strict',
      properties: { n: { type: 'long' }, a: { type: 'long' }, b: { type: 'keyword' } },
    };
    const again = await openTestShard({ ...left, mapping });
    again.shard.refresh();
    assert.deepEqual([...again.visible()], [['1', source]]);
    assert.match(
      (await again.write([{ op: 'index', id: '2', source }]))[0]!.error!.type,
      /parsing_exception|strict_dynamic/,
    );
  },
);
