import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ShardStoreInfo } from '@shoal/store';
import type { HeldShards } from './held-shards.js';
import { listStores } from './list-stores.js';

const INFO: ShardStoreInfo = {
  allocationId: 'a',
  previousAllocationId: null,
  historyUuid: 'h',
  term: 2,
  maxSeqNo: 9,
  globalCheckpoint: 8,
  epochs: [],
  historyFloor: 0,
  segments: ['s'],
};

test('a node tells of each copy what it has, that it is damaged, or that it is in use', async () => {
  const shards = {
    storeInfo: async (_uuid: string, shard: number) => (shard === 0 ? INFO : null),
    whileClosed: async <T>(_uuid: string, shard: number, work: () => Promise<T>) => (shard === 2 ? null : work()),
  } as unknown as HeldShards;
  const list = await listStores(shards, {
    clock: fakeClock(),
    thread: 0,
    threads: 1,
    storedInfo: (_uuid, shard) =>
      shard === 1 ? Promise.reject(errors.corruption('cut')) : Promise.resolve({ ...INFO, allocationId: 'b' }),
    storedShards: async () => [0, 1, 2, 3].map((shard) => ({ indexUuid: 'u', shard })),
  });
  assert.deepEqual(
    list.shards.map(({ shard, allocationId, damaged }) => [shard, allocationId, damaged]),
    [
      [0, 'a', false],
      [1, null, true],
      [3, 'b', false],
    ],
  );
  assert.deepEqual(list.busy, [{ indexUuid: 'u', shard: 2 }]);
});
