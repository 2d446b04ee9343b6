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

test('a catalog that was written here is read again only once another one has a higher number', async () => {
  const inner = memoryFiles();
  const read: string[] = [];
  const files = { ...inner, read: (path: string) => (read.push(path), inner.read(path)) };
  const here = new WrittenCatalogs();
  const all = ['a', 'b', 'c'].map((name) => ({ ...SNAPSHOT, name }));
  for (const [i] of all.entries()) await here.write(files, '/r', i + 1, all.slice(0, i + 1));
  assert.deepEqual(await here.read(files, '/r'), all);
  assert.deepEqual(read, []);
  assert.deepEqual(await readCatalog(files, '/r'), all, 'the same is in the file');

  const other = new WrittenCatalogs();
  assert.deepEqual(await other.read(files, '/r'), all);
  await other.write(files, '/r', 4, all.slice(1));
  assert.deepEqual(await here.read(files, '/r'), all.slice(1));
  const failing = { ...files, replace: () => Promise.reject(new Error('no answer')) };
  await assert.rejects(other.write(failing, '/r', 4, all), /no answer/);
  await inner.replace('/r/snapshots-4.json', (await inner.read('/r/snapshots-3.json'))!);
  assert.deepEqual(await other.read(files, '/r'), all, 'what failed may have been written');
});
