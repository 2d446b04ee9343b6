import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStores } from '@shoal/doors';
import { openShardStore } from '../open-shard-store.js';
import { world } from '../testing/store-world.js';

/** Opens a store whose LevelDB fails with a message. Returns the error and the failures that were reported. */
async function openFailing(message: string): Promise<{ error: unknown; reported: string[]; marker: boolean }> {
  const stores = memoryStores();
  const failing = { ...stores, open: () => Promise.reject(new Error(message)) };
  const { options, files } = world(failing);
  const reported: string[] = [];
  const onFailure = (error: Error) => void reported.push(error.message);
  const error: unknown = await openShardStore({ ...options, onFailure }).catch((thrown: unknown) => thrown);
  return { error, reported, marker: (await files.read('shard/marker')) !== null };
}

test('a store that is opened on a full disk is no failed store', async () => {
  const { error, reported, marker } = await openFailing('IO error: 000003.log: No space left on device');
  assert.match(String(error), /No space left on device/);
  assert.deepEqual(reported, []);
  assert.equal(marker, false);
});

test('a store that cannot be opened for another reason is reported once', async () => {
  const { error, reported, marker } = await openFailing('IO error: permission denied');
  assert.match(String(error), /permission denied/);
  assert.equal(reported.length, 1);
  assert.equal(marker, false);
});
