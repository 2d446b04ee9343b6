import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Files, type KeyValueStores, memoryFiles, memoryStores } from '@shoal/doors';
import { levelStores } from './level-stores.js';
import { nodeFiles } from '../node/node-files.js';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const plain = (value: Uint8Array | undefined): number[] | undefined => (value ? [...value] : undefined);

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(os.tmpdir(), 'shoal-store-'));
  folders.push(made);
  return made;
}
after(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

async function keysOf(stores: AsyncIterable<readonly [Uint8Array, Uint8Array]>): Promise<number[]> {
  const keys: number[] = [];
  for await (const [key] of stores) keys.push(key[0]!);
  return keys;
}

function storesContract(name: string, make: () => KeyValueStores): void {
  test(`${name}: a batch is there at once and after the store is opened again`, async () => {
    const stores = make();
    const location = path.join(await folder(), 'db');
    const store = await stores.open(location);
    await store.batch(
      [
        { type: 'put', key: bytes(1), value: bytes(10, 11) },
        { type: 'put', key: bytes(2), value: bytes() },
      ],
      { sync: true },
    );
    await store.batch(
      [
        { type: 'del', key: bytes(1) },
        { type: 'put', key: bytes(3), value: bytes(30) },
      ],
      { sync: true },
    );
    assert.equal(store.get(bytes(1)), undefined);
    await store.close();
    const again = await stores.open(location);
    assert.equal(again.get(bytes(1)), undefined);
    assert.deepEqual(plain(again.get(bytes(2))), []);
    assert.deepEqual(plain(again.get(bytes(3))), [30]);
    await again.close();
  });

  test(`${name}: a value may be changed by its writer once the batch is done`, async () => {
    const store = await make().open(path.join(await folder(), 'db'));
    const value = bytes(1, 2);
    await store.batch([{ type: 'put', key: bytes(1), value }], { sync: false });
    value[0] = 9;
    assert.deepEqual(plain(store.get(bytes(1))), [1, 2]);
    await store.close();
  });

  test(`${name}: ranges go by unsigned bytes, both ways, with a limit`, async () => {
    const store = await make().open(path.join(await folder(), 'db'));
    await store.batch(
      [200, 1, 130, 60].map((key) => ({ type: 'put', key: bytes(key), value: bytes(key) }) as const),
      { sync: true },
    );
    const range = { gte: bytes(60), lt: bytes(200) };
    assert.deepEqual(await keysOf(store.entries({ gte: bytes(0), lt: bytes(255) })), [1, 60, 130, 200]);
    assert.deepEqual(await keysOf(store.entries(range)), [60, 130]);
    assert.deepEqual(await keysOf(store.entries({ ...range, reverse: true })), [130, 60]);
    assert.deepEqual(await keysOf(store.entries({ ...range, reverse: true, limit: 1 })), [130]);
    await store.close();
  });

  test(`${name}: a destroyed store is empty when it is opened again`, async () => {
    const stores = make();
    const location = path.join(await folder(), 'db');
    const store = await stores.open(location);
    await store.batch([{ type: 'put', key: bytes(1), value: bytes(1) }], { sync: true });
    await store.close();
    await stores.destroy(location);
    const again = await stores.open(location);
    assert.equal(again.get(bytes(1)), undefined);
    await again.close();
  });
}

function filesContract(name: string, files: Files): void {
  test(`${name}: a file that was replaced is read whole and listed`, async () => {
    const base = await folder();
    assert.equal(await files.read(`${base}/a/b`), null);
    await files.replace(`${base}/a/b`, bytes(1, 2));
    await files.replace(`${base}/a/b`, bytes(3));
    assert.deepEqual(plain((await files.read(`${base}/a/b`))!), [3]);
    assert.deepEqual(await files.list(`${base}/a`), ['b']);
    assert.deepEqual(await files.list(`${base}/nothing`), []);
    await files.remove(`${base}/a/b`);
    await files.remove(`${base}/a/b`);
    assert.equal(await files.read(`${base}/a/b`), null);
  });

  test(`${name}: an open file is written in place, grows and is cut`, async () => {
    const base = await folder();
    const file = await files.open(`${base}/x/slots`);
    file.writeAt(4, bytes(5, 6));
    file.writeAt(0, bytes(1));
    assert.equal(file.size(), 6);
    assert.deepEqual(plain(file.readAt(0, 100)), [1, 0, 0, 0, 5, 6]);
    file.truncate(5);
    await file.sync();
    file.syncNow();
    file.close();
    assert.deepEqual(plain((await files.read(`${base}/x/slots`))!), [1, 0, 0, 0, 5]);
    await files.removeFolder(`${base}/x`);
    assert.equal(await files.read(`${base}/x/slots`), null);
  });

  test(`${name}: only a folder that nothing is in is removed as an empty one`, async () => {
    const base = await folder();
    await files.replace(`${base}/a/b/c`, bytes(1));
    await files.removeEmptyFolder(`${base}/a`);
    assert.deepEqual(plain((await files.read(`${base}/a/b/c`))!), [1]);
    await files.removeFolder(`${base}/a/b`);
    await files.removeEmptyFolder(`${base}/a`);
    await files.removeEmptyFolder(`${base}/a`);
    assert.deepEqual(await files.list(base), []);
  });
}

storesContract('memory stores', memoryStores);
storesContract('LevelDB stores', () => levelStores());
filesContract('memory files', memoryFiles());
filesContract('node files', nodeFiles());

test('LevelDB stores: a second handle of the same folder sees what the first wrote', async () => {
  const stores = levelStores();
  const location = path.join(await folder(), 'db');
  const first = await stores.open(location);
  const second = await stores.open(location);
  await first.batch([{ type: 'put', key: bytes(1), value: bytes(7) }], { sync: true });
  assert.deepEqual(plain(second.get(bytes(1))), [7]);
  await second.close();
  assert.deepEqual(plain(first.get(bytes(1))), [7]);
  await first.close();
});
