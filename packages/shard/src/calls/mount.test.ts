import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fakeClock,
  type Files,
  type KeyValueStores,
  memoryFiles,
  memoryStores,
  seededRandom,
  silentLog,
} from '@shoal/doors';
import { createBlockCache, FileCache, openShardStore } from '@shoal/store';
import { openTestShard, type TestShard, type TestWrite } from '../test-shard.js';
import { mountSnapshot, type MountedSnapshot, placeMounted } from './mount.js';
import type { RestoreSource } from './restore.js';
import type { ShardSnapshot } from './snapshot.js';

const FOLDER = 'repository/data/index';
const mapping = { properties: { n: { type: 'long' }, text: { type: 'text' }, noise: { type: 'keyword' } } };
const PAD = Array.from({ length: 400 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(36)).join('');

const doc = (id: number): TestWrite => ({
  op: 'index',
  id: String(id),
  source: { n: id, text: `word${id % 17} of ${id}`, noise: `${id}${PAD.slice(id % 997)}` },
});

/** A node with a mounted copy: what a process that ends leaves of it are stores and files. */
interface Mounted {
  readonly shard: TestShard;
  readonly snapshot: MountedSnapshot;
  readonly cache: FileCache;
  readonly reads: string[];
  readonly own: Files;
  readonly stores: KeyValueStores;
}

/** Takes a snapshot of a shard with enough in it for several files. */
async function saved(): Promise<{ readonly origin: TestShard; readonly source: RestoreSource }> {
  const origin = await openTestShard({ mapping });
  for (let at = 0; at < 4000; at += 500)
    await origin.write(
      Array.from({ length: 500 }, (_, i) => doc(at + i)),
      1,
    );
  await origin.shard.call('force_merge', { maxNumSegments: 1 });
  await origin.write([doc(3), { op: 'delete', id: '4' }], 1);
  const taken = (await origin.shard.call('snapshot', { folder: FOLDER, base: null })) as ShardSnapshot;
  return { origin, source: { folder: FOLDER, files: taken.files, shard: 0 } };
}

async function mounted(
  origin: TestShard,
  source: RestoreSource,
  bytesMax: number,
  left: Pick<Mounted, 'own' | 'stores'> | null = null,
): Promise<Mounted> {
  const [stores, own] = [left?.stores ?? memoryStores(), left?.own ?? memoryFiles()];
  const cache = new FileCache(bytesMax);
  const reads: string[] = [];
  const repositoryFiles = {
    ...origin.files,
    read: (name: string) => (reads.push(name), origin.files.read(name)),
  } as Files;
  const doors = { repositoryFiles, files: own, path: 'shard', cache };
  const snapshot = (await mountSnapshot(source, doors))!;
  if (!left) {
    // A node removes what an attempt before left in the folder.
    await own.removeFolder('shard');
    const store = await openShardStore({
      stores,
      files: own,
      clock: fakeClock(),
      random: seededRandom(9),
      log: silentLog,
      cache: createBlockCache(1 << 20),
      path: 'shard',
    });
    await placeMounted(store, snapshot, source, doors);
  }
  const shard = await openTestShard({ mapping, stores, files: own, mounted: snapshot.mounted });
  return { shard, snapshot, cache, reads, own, stores };
}

const visible = ({ shard, snapshot }: Mounted): Promise<Map<string, unknown>> =>
  snapshot.mounted.run(async () => shard.visible());
const get = async ({ shard, snapshot }: Mounted, id: string): Promise<boolean> =>
  (await snapshot.mounted.run(() => shard.get(id))).found;

test('a mounted shard reads few files when it opens, and all of them only once all documents are read', async () => {
  const { origin, source } = await saved();
  const copy = await mounted(origin, source, 1 << 30);
  const { files } = copy.snapshot.manifest;
  assert.ok(files.length > 6, String(files.length));
  assert.ok(copy.cache.count < files.length / 2, `${copy.cache.count} of ${files.length}`);
  assert.equal(await get(copy, '3'), true);
  assert.equal(await get(copy, '4'), false);
  assert.deepEqual(await visible(copy), origin.visible());
  const before = copy.reads.length;
  assert.deepEqual(await visible(copy), origin.visible());
  assert.equal(copy.reads.length, before, 'nothing is read twice while it is in the cache');
});

test('the files of a mounted shard are there after its node was started again, killed or not', async () => {
  const { origin, source } = await saved();
  const copy = await mounted(origin, source, 1 << 30);
  await visible(copy);
  const again = await mounted(origin, source, 1 << 30, copy);
  assert.deepEqual(await visible(again), origin.visible());
  assert.deepEqual(again.reads, [], 'the manifest is in the folder of the copy');
  await again.shard.shard.close();
  const last = await mounted(origin, source, 1 << 30, copy);
  assert.deepEqual(await visible(last), origin.visible());
});

test('a cache that holds a part drops what was used longest ago, and never more than its limit is there', async () => {
  const { origin, source } = await saved();
  const whole = await mounted(origin, source, 1 << 30);
  await visible(whole);
  const bytesMax = Math.floor(whole.cache.bytes * 0.7);
  const copy = await mounted(origin, source, bytesMax);
  for (let id = 0; id < 4000; id += 97) {
    assert.equal(await get(copy, String(id)), true);
    assert.ok(copy.cache.bytes <= bytesMax);
  }
  for (let id = 3999; id > 0; id -= 97) assert.equal(await get(copy, String(id)), true);
  assert.ok(copy.cache.stats.evictions > 0);
  const small = await mounted(origin, source, bytesMax, copy);
  assert.ok(small.cache.bytes <= bytesMax);
  assert.equal(await get(small, '12'), true);
});

test('a request that needs more than the cache holds is refused, and others go on', async () => {
  const { origin, source } = await saved();
  const whole = await mounted(origin, source, 1 << 30);
  await visible(whole);
  const copy = await mounted(origin, source, Math.floor(whole.cache.bytes * 0.7));
  await assert.rejects(visible(copy), {
    type: 'circuit_breaking_exception',
    message: /xpack\.searchable\.snapshot\.shared_cache\.size/,
  });
  assert.equal(await get(copy, '8'), true);
});

test('a snapshot of a mounted shard copies its files, whatever of them is on the node', async () => {
  const { origin, source } = await saved();
  const copy = await mounted(origin, source, 1 << 30);
  const { shard } = copy.shard;
  for (const name of await origin.files.list(FOLDER))
    await copy.own.replace(`${FOLDER}/${name}`, new Uint8Array((await origin.files.read(`${FOLDER}/${name}`))!));
  const body = { folder: 'other/data/index', base: null, from: source };
  const first = (await shard.call('snapshot', body)) as ShardSnapshot;
  assert.equal(first.added.files, copy.snapshot.manifest.files.length + 1);
  const second = (await shard.call('snapshot', { ...body, base: first.files[0] })) as ShardSnapshot;
  assert.deepEqual([second.added.files, second.files], [0, first.files]);
  assert.deepEqual(await copy.own.list('other/data/index'), await copy.own.list(FOLDER));
});

test('a request whose part read on without a file is run again', async () => {
  const { origin, source } = await saved();
  const copy = await mounted(origin, source, 1 << 30);
  const taken: boolean[] = [];
  const found = await copy.snapshot.mounted.run(
    async () =>
      copy.shard.get('2000').then(
        ({ found: is }) => is,
        () => false,
      ),
    (result) => void taken.push(result),
  );
  assert.equal(found, true);
  assert.ok(taken.length > 0 && !taken.includes(true));
});

test('a shard that a snapshot does not have is not mounted empty; one that it has as documents is placed', async () => {
  const [repositoryFiles, files] = [memoryFiles(), memoryFiles()];
  const doors = { repositoryFiles, files, path: 'shard', cache: new FileCache(1 << 20) };
  await assert.rejects(mountSnapshot({ folder: FOLDER, files: [], shard: 2 }, doors), {
    type: 'corrupt_index_exception',
    message: 'the snapshot is without shard [2]',
  });
  assert.equal(await mountSnapshot({ folder: FOLDER, files: ['0-0.json.gz'], shard: 0 }, doors), null);
});

test('a damaged or missing file of a mounted shard is told by its name, and a whole one mends it', async () => {
  const { origin, source } = await saved();
  const copy = await mounted(origin, source, 1 << 30);
  const names = new Set(copy.reads.map((name) => name.split('/').at(-1)));
  const victim = copy.snapshot.manifest.operations.map(({ file }) => file.name).find((name) => !names.has(name))!;
  const good = new Uint8Array((await origin.files.read(`${FOLDER}/${victim}`))!);
  const flipped = good.slice();
  flipped[flipped.length >> 1]! ^= 1;
  for (const spoil of [
    () => origin.files.replace(`${FOLDER}/${victim}`, flipped),
    () => origin.files.remove(`${FOLDER}/${victim}`),
  ]) {
    await spoil();
    await assert.rejects(visible(copy), { type: 'corrupt_index_exception', message: new RegExp(victim) });
  }
  await origin.files.replace(`${FOLDER}/${victim}`, good);
  assert.deepEqual(await visible(copy), origin.visible());
  assert.deepEqual(copy.shard.failures, []);
});
