import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyValueStore, memoryStores } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { chunkKey } from '../level/keys.js';
import { FileCache } from './file-cache.js';
import { FileLayout } from './file-layout.js';
import { MountedFiles } from './mounted-files.js';

const FILE_BYTES = 100;
const FILES = 12;

/** A segment with one part, whose chunks are in a file each; those of `damaged` cannot be read. */
async function open(cacheFiles: number, damaged: readonly number[] = [], beforeWrite?: () => Promise<void>) {
  const reads: string[] = [];
  const names = Array.from({ length: FILES }, (_, i) => `f${i}`);
  const cache = new FileCache(cacheFiles * FILE_BYTES);
  const mounted = new MountedFiles({
    layout: new FileLayout(
      [{ segment: 0, parts: [{ name: 'p', chunkCount: FILES }], files: names.map((name) => ({ name, chunks: 1 })) }],
      [],
    ),
    cache,
    read: async (name) => {
      reads.push(name);
      if (damaged.includes(names.indexOf(name))) throw errors.corruption(`file [${name}] is damaged`);
      return [[0, new Uint8Array(FILE_BYTES)]];
    },
  });
  const own = await memoryStores().open('s');
  const store: KeyValueStore = {
    ...own,
    async batch(...given) {
      await beforeWrite?.();
      return own.batch(...given);
    },
  };
  await mounted.begin(
    () => store,
    () => assert.fail('the store is whole'),
  );
  const read = (chunks: readonly number[]): Promise<number> =>
    mounted.run(async () => {
      for (const chunk of chunks) assert.ok(mounted.over(store).get(chunkKey(0, 'p', chunk)));
      return chunks.length;
    });
  return { mounted, cache, reads, read, store };
}

test('a request may do without files that are read ahead: damaged ones, and those that have no room', async () => {
  const one = await open(FILES, [2]);
  assert.equal(await one.read([0, 1]), 2);
  assert.ok(one.reads.includes('f2'));
  await assert.rejects(one.read([2]), { message: 'file [f2] is damaged' });
  const other = await open(4);
  assert.equal(await other.read([0, 2, 6, 9]), 4);
  await assert.rejects(other.read([0, 2, 4, 6, 9]), { type: 'circuit_breaking_exception' });
  assert.equal(await other.read([1, 3, 5, 7]), 4, 'a request that was refused pins nothing');
});

test('a request that fails while others of its files come pins none of them', async () => {
  const { mounted, cache, read } = await open(2, [0]);
  const [failed, whole] = await Promise.allSettled([read([0]), read([1, 5])]);
  assert.equal(failed.status, 'rejected');
  await Promise.allSettled([whole]);
  assert.equal(await read([8, 9]), 2);
  mounted.clear();
  assert.equal(cache.count, 0);
});

test('a request that needs a file while it is written waits for it, like the one that asked first', async () => {
  const others: Promise<number>[] = [];
  const one = await open(FILES, [], async () => {
    others.push(one.read([0]));
    for (let i = 0; i < 5; i++) await new Promise((resolve) => void setImmediate(resolve));
  });
  assert.equal(await one.read([0]), 1);
  assert.equal((await Promise.all(others))[0], 1);
  assert.equal(one.reads.filter((name) => name === 'f0').length, 1);
});

test('a request keeps no files that others needed while it read', async () => {
  const { mounted, read, store } = await open(4);
  await read([6]);
  let goOn = (): void => undefined;
  const others = new Promise<void>((resolve) => (goOn = resolve));
  const slow = mounted.run(async () => {
    assert.ok(mounted.over(store).get(chunkKey(0, 'p', 6)));
    await others;
    return 'read';
  });
  for (const chunk of [0, 2, 4, 8, 10]) await read([chunk]);
  goOn();
  assert.equal(await slow, 'read');
});

test('a request that reads on without a file gets it, though others miss files meanwhile', async () => {
  const { mounted, read, store } = await open(4);
  const careless = mounted.run(async () => {
    const get = async (chunk: number): Promise<boolean> => !!mounted.over(store).get(chunkKey(0, 'p', chunk));
    return Promise.all([0, 5].map((chunk) => get(chunk).catch(() => false)));
  });
  assert.deepEqual(await Promise.all([careless, read([1, 8])]), [[true, true], 2]);
});
