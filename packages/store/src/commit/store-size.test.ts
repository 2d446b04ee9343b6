import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { createStoreSize } from './store-size.js';

test('the files of a store are added up after each write, once more when it is at rest, and not again', async () => {
  const clock = fakeClock();
  const store = { changes: 0, bytes: 100, measured: 0 };
  const folderSize = (): Promise<number> => {
    store.measured++;
    return Promise.resolve(store.bytes);
  };
  const size = createStoreSize({ path: 'a', files: { folderSize }, clock }, () => ({
    changes: () => store.changes,
    sizeOf: () => Promise.resolve(0),
  }));
  assert.equal(await size(), 100);
  store.bytes = 90; // LevelDB compacts behind the last write.
  assert.deepEqual([await size(), store.measured], [100, 1]);
  clock.advance(10_000);
  assert.deepEqual([await size(), store.measured], [90, 2]);
  clock.advance(3_600_000);
  assert.deepEqual([await size(), store.measured], [90, 2], 'a store at rest is not read');
  store.changes++;
  store.bytes = 120;
  assert.deepEqual([await size(), store.measured], [120, 3], 'a write counts at once');
});
