import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type KeyValueStores, memoryFiles, memoryStores, seededRandom, silentLog } from '@shoal/doors';
import { createBlockCache } from './block-cache.js';
import { openShardStore } from '../open-shard-store.js';
import type { SegmentDraft, ShardStore, ShardStoreOptions } from '../shard-store-api.js';

const world = (stores: KeyValueStores = memoryStores()): ShardStoreOptions => ({
  stores,
  files: memoryFiles(),
  clock: fakeClock(),
  random: seededRandom(1),
  log: silentLog,
  cache: createBlockCache(1 << 20),
  path: 'shard',
});

async function writeSegment(
  store: ShardStore,
  segment: number,
  content: Uint8Array,
  madeBy?: Uint8Array,
): Promise<SegmentDraft> {
  const writer = store.writer(segment, madeBy);
  await writer.write('part', content);
  return { segment, maxDoc: 1, deletedDocs: 0, live: null, ...(await writer.finish()) };
}

/** A store with the operations 0 to 4 and a commit point of the segments 1 to 3. */
async function filled(options: ShardStoreOptions): Promise<ShardStore> {
  const store = await openShardStore(options);
  for (let seqNo = 0; seqNo < 5; seqNo++) {
    store.append({
      kind: 'index',
      seqNo,
      primaryTerm: 1,
      version: 1,
      id: `${seqNo}`,
      routing: null,
      autoId: false,
      created: true,
      opId: null,
      atMs: 0,
      ignored: [],
      source: Buffer.from('{}'),
    });
    await store.synced();
  }
  const segments: SegmentDraft[] = [];
  for (const number of [1, 2, 3]) segments.push(await writeSegment(store, number, new Uint8Array(100).fill(number)));
  await store.writeCommit({
    segments,
    maxSeqNo: 4,
    primaryTerm: 1,
    nextSegment: 4,
    superseded: [],
    tombstones: [],
    leases: [],
    retriesFrom: -1,
    historyFloor: 5,
  });
  return store;
}

async function numbersOf(store: ShardStore): Promise<number[]> {
  const numbers: number[] = [];
  for await (const [seqNo] of store.records(0, 100)) numbers.push(seqNo);
  return numbers;
}

test('a store that is made anew has what it keeps and nothing else, under a chain of its own', async () => {
  const options = world();
  const before = await filled(options);
  await before.close();
  const store = await openShardStore({ ...options, keeps: { segments: [2], operationsBelow: 3 } });
  assert.notDeepEqual(store.identity.chainId, before.identity.chainId);
  assert.deepEqual([store.commit, store.recoveredSeqNo, store.epochs], [null, -1, []]);
  assert.deepEqual(await numbersOf(store), [0, 1, 2]);
  assert.equal(store.segment(2, before.commit!.segments[1]!.rootHash).chunk('part', 0)[0], 2);
  for (const gone of [1, 3])
    await assert.rejects(async () => store.segment(gone, null), { type: 'corrupt_index_exception' });
});

test('what a store kept goes with the next open, unless a commit came to refer to it', async () => {
  const options = world();
  await (await filled(options)).close();
  await (await openShardStore({ ...options, keeps: { segments: [2], operationsBelow: 3 } })).close();
  const again = await openShardStore(options);
  assert.deepEqual(await numbersOf(again), []);
  await assert.rejects(async () => again.segment(2, null), { type: 'corrupt_index_exception' });
});

/** Stores whose n-th batch from now on and all later batches fail. */
function failingAt(stores: KeyValueStores, n: number): KeyValueStores {
  let left = n;
  return {
    ...stores,
    async open(location) {
      const store = await stores.open(location);
      return {
        ...store,
        batch: (operations, options) =>
          left-- > 0 ? store.batch(operations, options) : Promise.reject(new Error('IO error: cut off')),
      };
    },
  };
}

test('a store whose making anew is cut off is empty at the next open, neither whole nor damaged', async () => {
  for (let n = 0; ; n++) {
    const options = world();
    const before = await filled(options);
    await before.close();
    const cut = await openShardStore({
      ...options,
      stores: failingAt(options.stores, n),
      keeps: { segments: [2], operationsBelow: 3 },
    }).then(
      (store) => store.close().then(() => null),
      (error: unknown) => error,
    );
    const opened = await openShardStore(options);
    if (opened.commit !== null) assert.equal(n, 0, 'the old one is there only as long as nothing was written');
    else assert.deepEqual(await numbersOf(opened), []);
    if (cut === null) return assert.ok(n > 4);
  }
});

test(
  'the root hash of a segment tells its content and the store ' + 'that wrote it, and a copy of it has the same',
  async () => {
    const [one, other] = [await openShardStore(world()), await openShardStore({ ...world(), random: seededRandom(2) })];
    const content = new Uint8Array(100).fill(7);
    const { rootHash } = await writeSegment(one, 1, content);
    const changed = Uint8Array.from(content);
    changed[50] = 8;
    const hashes = [
      (await writeSegment(other, 1, content)).rootHash,
      (await writeSegment(other, 1, content, one.identity.chainId)).rootHash,
      (await writeSegment(other, 1, changed, one.identity.chainId)).rootHash,
    ];
    assert.deepEqual(
      hashes.map((hash) => Buffer.compare(hash, rootHash) === 0),
      [false, true, false],
    );
  },
);
