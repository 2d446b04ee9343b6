import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fakeClock,
  type Files,
  type KeyValueStore,
  type KeyValueStores,
  memoryFiles,
  memoryStores,
  seededRandom,
  silentLog,
} from '@shoal/doors';
import { createBlockCache } from './commit/block-cache.js';
import { batchKey, numberedKey } from './level/keys.js';
import type { Operation } from './log/operation.js';
import { openShardStore } from './shard-store.js';
import type { ShardStore, ShardStoreOptions } from './shard-store-api.js';

interface World {
  readonly options: ShardStoreOptions;
  readonly stores: KeyValueStores;
  readonly files: Files;
}

function world(stores: KeyValueStores = memoryStores()): World {
  const files = memoryFiles();
  const options = {
    stores,
    files,
    clock: fakeClock(),
    random: seededRandom(7),
    log: silentLog,
    cache: createBlockCache(1 << 20),
    path: 'shard',
  };
  return { options, stores, files };
}

const operation = (seqNo: number, text = `{"n":${seqNo}}`): Operation => ({
  kind: 'index',
  seqNo,
  primaryTerm: 1,
  version: 1,
  id: `id-${seqNo}`,
  routing: seqNo % 2 ? 'r' : null,
  autoId: false,
  created: true,
  opId: seqNo % 4 ? null : { coordinator: 'c', counter: seqNo + 300 },
  atMs: seqNo % 5 ? 0 : 1_700_000_000_000,
  ignored: seqNo % 3 ? [] : ['a.b'],
  source: Buffer.from(text),
});

async function write(store: ShardStore, from: number, to: number): Promise<void> {
  for (let seqNo = from; seqNo <= to; seqNo++) store.append(operation(seqNo));
  await store.synced();
}

async function replayed(store: ShardStore): Promise<number[]> {
  const seqNos: number[] = [];
  for await (const { seqNo } of store.replay()) seqNos.push(seqNo);
  return seqNos;
}

const emptyCommit = (maxSeqNo: number) => ({
  segments: [],
  maxSeqNo,
  primaryTerm: 1,
  nextSegment: 0,
  superseded: [],
  tombstones: [],
  leases: [],
  historyFloor: 0,
  retriesFrom: -1,
});

async function change(stores: KeyValueStores, edit: (store: KeyValueStore) => Promise<void>): Promise<void> {
  const store = await stores.open('shard/db');
  await edit(store);
  await store.close();
}

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

const plain = (value: Uint8Array): number[] => [...value];

/** Fails batches with an error until told otherwise, as a full disk does. */
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
