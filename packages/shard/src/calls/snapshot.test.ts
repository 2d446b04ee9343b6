import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, type Files, memoryFiles, memoryStores, seededRandom, silentLog } from '@shoal/doors';
import { createBlockCache, openShardStore } from '@shoal/store';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { completeRestore, placeFiles, type RestoreSource } from './restore.js';
import type { ShardSnapshot } from './snapshot.js';

const FOLDER = 'repository/data/index';
const mapping = { properties: { n: { type: 'long' }, text: { type: 'text' } } };

const doc = (id: number, n: number): TestWrite => ({
  op: 'index',
  id: String(id),
  source: { n, text: `word${n % 17} of ${id} ${'filler '.repeat(8)}` },
});

async function take(shard: TestShard, base: ShardSnapshot | null): Promise<ShardSnapshot> {
  const body = { folder: FOLDER, base: base?.files[0] ?? null };
  return (await shard.shard.call('snapshot', body)) as ShardSnapshot;
}

/** Restores a snapshot from the files of a repository into a new shard. */
async function restored(files: Files, snapshot: ShardSnapshot): Promise<TestShard> {
  const stores = memoryStores();
  const own = memoryFiles();
  const store = await openShardStore({
    stores,
    files: own,
    clock: fakeClock(),
    random: seededRandom(9),
    log: silentLog,
    cache: createBlockCache(1 << 20),
    path: 'shard',
    identity: { allocationId: 'restored' },
    isAlone: false,
  });
  const source: RestoreSource = { folder: FOLDER, files: snapshot.files, shard: 0 };
  await placeFiles(store, source, { files, limit: async () => undefined });
  for (const name of await files.list(FOLDER)) await copyFile(files, own, name);
  const opened = await openTestShard({ mapping, stores, files: own });
  opened.shard.setPrimaryTerm(snapshot.primaryTerm + 1);
  await completeRestore(opened.shard, source);
  return opened;
}

/** Copies a file. What a fake returns for a Buffer may share its memory. */
async function copyFile(from: Files, to: Files, name: string): Promise<void> {
  await to.replace(`${FOLDER}/${name}`, new Uint8Array((await from.read(`${FOLDER}/${name}`))!));
}

const fromTo = (from: number, to: number, n = 0): TestWrite[] =>
  Array.from({ length: to - from }, (_, i) => doc(from + i, n + i));

test('a snapshot of unchanged data adds nothing, and restores the same documents', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 500), 1);
  const first = await take(shard, null);
  const second = await take(shard, first);
  assert.deepEqual(second.files, first.files);
  assert.deepEqual(second.added, { files: 0, bytes: 0 });
  assert.equal(second.documents, 500);
  const other = await restored(shard.files, second);
  assert.deepEqual(other.visible(), shard.visible());
  await other.write([doc(3, 99), { op: 'delete', id: '4' }], 1);
  assert.equal(other.visible().size, 499);
  const again = await other.reopen('crash');
  assert.deepEqual(again.visible(), other.visible());
});

test('a primary that was just promoted waits for the copies in sync, and has every acknowledged write', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 10), 1);
  const { log } = shard.shard;
  log.store.isAlone = false;
  let isAnswered = false;
  log.gate = {
    appended: () => undefined,
    refreshed: async () => undefined,
    acknowledged: async (seqNo) => {
      if (isAnswered) log.setGlobalCheckpoint(seqNo);
    },
  };
  await shard.write(fromTo(10, 13));
  assert.equal(log.store.globalCheckpoint, 9, 'acknowledged by the primary before, whose checkpoint is not known here');
  isAnswered = true;
  const other = await restored(shard.files, await take(shard, null));
  assert.equal(other.visible().size, 13);
});

test('a hundred random damages of a repository: a restore is refused by the name of the file, or has all', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 300), 1);
  await shard.write([doc(3, 99), { op: 'delete', id: '4' }], 1);
  const snapshot = await take(shard, null);
  const expected = shard.visible();
  const { files } = shard;
  const names = (await files.list(FOLDER)).sort();
  const random = seededRandom(26);
  let refused = 0;
  for (let round = 0; round < 100; round++) {
    const draw = Buffer.from(random.bytes(8));
    const name = names[draw.readUInt16LE(0) % names.length]!;
    const good = new Uint8Array((await files.read(`${FOLDER}/${name}`))!);
    const at = draw.readUInt32LE(2) % good.length;
    const damaged = [
      () =>
        files.replace(
          `${FOLDER}/${name}`,
          Uint8Array.from(good, (byte, i) => (i === at ? byte ^ (1 << (round & 7)) : byte)),
        ),
      () => files.replace(`${FOLDER}/${name}`, good.slice(0, at)),
      () => files.replace(`${FOLDER}/${name}`, Buffer.concat([good, draw])),
      () => files.remove(`${FOLDER}/${name}`),
    ][round % 4]!;
    await damaged();
    const outcome = await restored(files, snapshot).catch((error: Error & { type?: string }) => error);
    if (outcome instanceof Error) {
      refused++;
      assert.equal(outcome.type, 'corrupt_index_exception');
      assert.ok(outcome.message.includes(name), outcome.message);
    } else assert.deepEqual(outcome.visible(), expected, `damage ${round} of ${name} went unnoticed`);
    await files.replace(`${FOLDER}/${name}`, good);
  }
  assert.equal(refused, 100);
});

test('a copy that is not the primary takes no snapshot', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 10), 1);
  shard.shard.log.store.isAlone = false;
  await assert.rejects(take(shard, null), { type: 'retry_on_primary_exception' });
});

test('each snapshot of a chain restores its own time, whatever was updated, deleted and merged since', async () => {
  const shard = await openTestShard({ mapping });
  const random = seededRandom(4);
  const chain: { readonly snapshot: ShardSnapshot; readonly visible: Map<string, unknown> }[] = [];
  for (let round = 0; round < 12; round++) {
    const [a = 0, b = 0] = random.bytes(2);
    await shard.write(fromTo(a, a + b, round * 1000));
    await shard.write(
      fromTo(b >> 1, b >> 1).concat(Array.from({ length: a >> 4 }, (_, i) => ({ op: 'delete', id: String(i * 7) }))),
      1,
    );
    if (round % 4 === 3) await shard.shard.call('force_merge', { maxNumSegments: 1 });
    const snapshot = await take(shard, chain.at(-1)?.snapshot ?? null);
    chain.push({ snapshot, visible: shard.visible() });
  }
  for (const { snapshot, visible } of chain) {
    const other = await restored(shard.files, snapshot);
    assert.deepEqual(other.visible(), visible);
    await other.shard.close();
  }
});

test('operations that an update has superseded do not stay in a restored shard', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 300), 1);
  const first = await take(shard, null);
  for (let round = 1; round < 4; round++) await shard.write(fromTo(0, 300, round * 1000), 1);
  const last = await take(shard, first);
  const other = await restored(shard.files, last);
  assert.deepEqual(other.visible(), shard.visible());
  let records = 0;
  for await (const _record of other.shard.log.store.records(0, 1200)) records++;
  assert.equal(records, 300);
});

test('an empty shard has a snapshot too', async () => {
  const shard = await openTestShard({ mapping });
  const other = await restored(shard.files, await take(shard, null));
  assert.equal(other.visible().size, 0);
  await other.write([doc(1, 1)], 1);
  assert.equal(other.visible().size, 1);
});

test('of 100 damaged repositories each is refused by the name of the file, or gives all documents', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 400), 1);
  await shard.write([{ op: 'delete', id: '7' }, doc(8, 5)], 1);
  const snapshot = await take(shard, null);
  const names = await shard.files.list(FOLDER);
  const random = seededRandom(11);
  let refused = 0;
  for (let i = 0; i < 100; i++) {
    const files = memoryFiles();
    for (const name of names) await copyFile(shard.files, files, name);
    const [which = 0, how = 0, high = 0, low = 0] = random.bytes(4);
    const name = names[which % names.length]!;
    const bytes = (await files.read(`${FOLDER}/${name}`))!;
    const at = (high * 256 + low) % bytes.length;
    if (how % 3 === 0) await files.remove(`${FOLDER}/${name}`);
    else if (how % 3 === 1) await files.replace(`${FOLDER}/${name}`, bytes.subarray(0, at));
    else {
      bytes[at]! ^= 1 << (how % 8);
      await files.replace(`${FOLDER}/${name}`, bytes);
    }
    try {
      assert.deepEqual((await restored(files, snapshot)).visible(), shard.visible());
    } catch (error) {
      assert.match((error as Error).message, new RegExp(`file \\[${name}\\]`));
      refused++;
    }
  }
  assert.equal(refused, 100, 'no file is superfluous');
});

test('a snapshot of documents only is restored by indexing them, and shares pages that did not change', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 2100), 1);
  await shard.write([doc(2050, 7), { op: 'delete', id: '2060' }], 1);
  const body = { folder: FOLDER, base: null, isSourceOnly: true };
  const first = (await shard.shard.call('snapshot', body)) as ShardSnapshot;
  assert.equal(first.documents, 2099);
  const second = (await shard.shard.call('snapshot', { ...body, base: first.files[0] })) as ShardSnapshot;
  assert.deepEqual([second.files, second.added], [first.files, { files: 0, bytes: 0 }]);
  await shard.write([doc(9000, 1)], 1);
  const third = (await shard.shard.call('snapshot', { ...body, base: first.files[0] })) as ShardSnapshot;
  assert.equal(third.added.files, 2);
  const other = await restored(shard.files, third);
  assert.deepEqual(other.visible(), shard.visible());
  const whole = await take(shard, null);
  assert.ok(third.bytes < whole.bytes);
});

test('a snapshot that is given up writes no more files', async () => {
  const shard = await openTestShard({ mapping });
  await shard.write(fromTo(0, 300), 1);
  const given = new AbortController();
  const body = { folder: FOLDER, base: null, bytesPerSecond: 1 };
  const taking = shard.shard.call('snapshot', body, undefined, given.signal);
  const refused = assert.rejects(taking, { type: 'task_cancelled_exception' });
  while ((await shard.files.list(FOLDER)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  given.abort();
  shard.clock.advance(3_600_000);
  await refused;
  assert.equal((await shard.files.list(FOLDER)).length, 1, 'the file that was being written');
});

test('a snapshot writes no faster than its repository allows', async () => {
  const shard = await openTestShard({ mapping });
  const { clock } = shard;
  await shard.write(fromTo(0, 300), 1);
  const started = clock.monotonic();
  let isDone = false;
  const body = { folder: FOLDER, base: null, bytesPerSecond: 1000 };
  const taking = (shard.shard.call('snapshot', body) as Promise<ShardSnapshot>).finally(() => (isDone = true));
  while (!isDone) {
    clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { added } = await taking;
  assert.ok(clock.monotonic() - started >= added.bytes / 2);
});
