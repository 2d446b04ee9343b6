import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryFiles, seededRandom } from '@shoal/doors';
import { encodeJson } from '../json-bytes.js';
import { readCatalog, removeOldCatalogs, writeCatalog } from './catalog.js';
import type { SnapshotInfo } from './snapshot-info.js';
import { WrittenCatalogs } from './written-catalogs.js';

const SNAPSHOT: SnapshotInfo = {
  name: 'daily',
  uuid: 'u'.repeat(22),
  state: 'SUCCESS',
  indices: [
    {
      name: 'logs',
      uuid: 'i'.repeat(22),
      settings: { 'index.number_of_shards': '2' },
      mapping: { properties: { n: { type: 'long' } } },
      aliases: {},
      routingShards: 1024,
      layout: 2,
      shards: [{ files: [`0-${'a'.repeat(64)}.manifest`], bytes: 7, documents: 3 }],
    },
  ],
  includeGlobalState: false,
  metadata: { by: 'für alle' },
  startedAtMs: 1,
  endedAtMs: 2,
  failures: [],
  totalShards: 1,
};

test('a damaged catalog is refused by its name, wherever the damage is', async () => {
  const files = memoryFiles();
  await writeCatalog(files, '/r', 1, encodeJson([SNAPSHOT]));
  assert.deepEqual(await readCatalog(files, '/r'), [SNAPSHOT]);
  const good = new Uint8Array((await files.read('/r/snapshots-1.json'))!);
  const random = seededRandom(3);
  const damages = [
    ...Array.from(good, (byte, at) => Uint8Array.from(good, (one, i) => (i === at ? byte ^ (1 << (at & 7)) : one))),
    ...Array.from({ length: 20 }, () => good.slice(0, random.bytes(1)[0]! % good.length)),
    Buffer.concat([good, Buffer.from('}')]),
  ];
  for (const damaged of damages) {
    await files.replace('/r/snapshots-1.json', damaged);
    const found = await readCatalog(files, '/r').catch((error: Error & { type?: string }) => error);
    if (!(found instanceof Error)) assert.deepEqual(found, [SNAPSHOT]);
    else assert.match(`${found.type} ${found.message}`, /corrupt_index_exception .*snapshots-1\.json|has format/);
  }
});

test('a catalog of an earlier build, without a hash, is read', async () => {
  const files = memoryFiles();
  await files.replace('/r/snapshots.json', encodeJson({ format: 2, snapshots: [SNAPSHOT] }));
  assert.deepEqual(await readCatalog(files, '/r'), [SNAPSHOT]);
});

test('the catalog of the highest number counts; a repository that lost its own is not taken for empty', async () => {
  const files = memoryFiles();
  await files.replace('/r/snapshots.json', encodeJson({ format: 2, snapshots: [SNAPSHOT] }));
  await writeCatalog(files, '/r', 10, encodeJson([SNAPSHOT, { ...SNAPSHOT, name: 'next' }]));
  await removeOldCatalogs(files, '/r', 10);
  // Of a master that was replaced meanwhile.
  await writeCatalog(files, '/r', 9, encodeJson([]));
  assert.equal((await readCatalog(files, '/r')).length, 2);
  await removeOldCatalogs(files, '/r', 10);
  assert.deepEqual((await files.list('/r')).sort(), ['snapshots-10.json', 'snapshots.json']);
  await files.remove('/r/snapshots-10.json');
  await assert.rejects(readCatalog(files, '/r'), { type: 'corrupt_index_exception' });
});

const MEGABYTE = 1 << 20;

test('what was written here is the catalog until another one has a higher number', async () => {
  const files = memoryFiles();
  const here = new WrittenCatalogs(MEGABYTE);
  const all = ['a', 'b', 'c'].map((name) => ({ ...SNAPSHOT, name }));
  for (const [i] of all.entries()) await here.write(files, '/r', i + 1, all.slice(0, i + 1));
  const [first] = await here.read(files, '/r');
  assert.equal(first, all[0], 'not parsed again');
  assert.deepEqual(await readCatalog(files, '/r'), all, 'the same is in the file');

  const other = new WrittenCatalogs(MEGABYTE);
  assert.deepEqual(await other.read(files, '/r'), all);
  await other.write(files, '/r', 4, all.slice(1));
  assert.deepEqual(await here.read(files, '/r'), all.slice(1));
  const failing = { ...files, replace: () => Promise.reject(new Error('no answer')) };
  await assert.rejects(other.write(failing, '/r', 4, all), /no answer/);
  await files.replace('/r/snapshots-4.json', (await files.read('/r/snapshots-3.json'))!);
  assert.deepEqual(await other.read(files, '/r'), all, 'what failed may have been written');
});

test('a catalog whose writer got no answer is written if it is there', async () => {
  const files = memoryFiles();
  const here = new WrittenCatalogs(MEGABYTE);
  const lost = new Error('the connection ended');
  const replace = async (path: string, bytes: Uint8Array): Promise<void> => {
    await files.replace(path, bytes);
    throw lost;
  };
  await here.write({ ...files, replace }, '/r', 1, [SNAPSHOT]);
  assert.deepEqual(await here.read(files, '/r'), [SNAPSHOT]);

  const read = (): Promise<never> => Promise.reject(new Error('no connection'));
  await assert.rejects(here.write({ ...files, replace, read }, '/r', 2, []), lost, 'nobody knows');
  const refuses = { ...files, replace: () => Promise.reject(lost) };
  await assert.rejects(here.write(refuses, '/r', 3, [SNAPSHOT]), lost);
  assert.deepEqual(await here.read(files, '/r'), []);
});

test('a catalog that is damaged or lost after it was written is refused by the node that wrote it', async () => {
  const files = memoryFiles();
  const here = new WrittenCatalogs(MEGABYTE);
  await here.write(files, '/r', 1, [SNAPSHOT]);
  const written = (await files.read('/r/snapshots-1.json'))!;
  for (const at of [0, 40, 90, written.length - 9]) {
    const damaged = new Uint8Array(written);
    damaged[at]! ^= 1;
    await files.replace('/r/snapshots-1.json', damaged);
    await assert.rejects(here.read(files, '/r'), { type: 'corrupt_index_exception' }, `byte ${at}`);
  }
  await files.replace('/r/snapshots-1.json', written.subarray(0, 200));
  await assert.rejects(here.read(files, '/r'), { type: 'corrupt_index_exception' });
  await files.replace('/r/snapshots-1.json', written);
  assert.deepEqual(await here.read(files, '/r'), [SNAPSHOT]);
});

test('kept catalogs are bounded by the memory that they take; those that were written last stay', async () => {
  const files = memoryFiles();
  const here = new WrittenCatalogs(12 * MEGABYTE);
  const parsed: string[] = [];
  const read = async (folder: string, written: SnapshotInfo): Promise<void> => {
    const [found] = await here.read(files, folder);
    assert.deepEqual(found, written);
    if (found !== written) parsed.push(folder);
  };
  const ofMegabytes = (count: number): SnapshotInfo => ({ ...SNAPSHOT, metadata: { note: 'x'.repeat(count << 20) } });
  const [one, two, three] = [ofMegabytes(1), ofMegabytes(2), ofMegabytes(3.9)];
  await here.write(files, '/one', 1, [one]);
  await here.write(files, '/two', 1, [two]);
  assert.ok(here.memoryBytes > 9 * MEGABYTE && here.memoryBytes < 10 * MEGABYTE, `${here.memoryBytes}`);
  await here.write(files, '/again', 1, [one]);
  await read('/two', two);
  await read('/again', one);
  assert.deepEqual(parsed, []);
  await here.write(files, '/three', 1, [three]);
  assert.ok(here.memoryBytes < 12 * MEGABYTE, `${here.memoryBytes}`);
  await read('/two', two);
  await read('/three', three);
  assert.deepEqual(parsed, ['/two']);
  const four = ofMegabytes(4.1);
  await here.write(files, '/four', 1, [four]);
  await read('/four', four);
  await read('/three', three);
  assert.deepEqual(parsed, ['/two', '/four'], 'a catalog above the limit drops no other');
});
