import {
  fakeClock,
  type Files,
  type KeyValueStore,
  type KeyValueStores,
  memoryFiles,
  memoryStores,
  seededRandom,
  silentLog,
} from '@shoal/doors';
import { createBlockCache } from '../commit/block-cache.js';
import type { Operation } from '../log/operation.js';
import type { ShardStore, ShardStoreOptions } from '../shard-store-api.js';

/** Doors of one shard store in memory. */
export interface World {
  readonly options: ShardStoreOptions;
  readonly stores: KeyValueStores;
  readonly files: Files;
}

/** A new, empty world, over the given stores. */
export function world(stores: KeyValueStores = memoryStores()): World {
  const files = memoryFiles();
  const options = {
    stores,
    files,
    clock: fakeClock(),
    random: seededRandom(7),
    log: silentLog,
    cache: createBlockCache(1 << 20),
    path: 'shard',
  };
  return { options, stores, files };
}

/** An operation whose members differ by its number. */
export const operation = (seqNo: number, text = `{"n":${seqNo}}`): Operation => ({
  kind: 'index',
  seqNo,
  primaryTerm: 1,
  version: 1,
  id: `id-${seqNo}`,
  routing: seqNo % 2 ? 'r' : null,
  autoId: false,
  created: true,
  opId: seqNo % 4 ? null : { coordinator: 'c', counter: seqNo + 300 },
  atMs: seqNo % 5 ? 0 : 1_700_000_000_000,
  ignored: seqNo % 3 ? [] : ['a.b'],
  source: Buffer.from(text),
});

/** Appends and syncs operations `from` to `to`. */
export async function write(store: ShardStore, from: number, to: number): Promise<void> {
  for (let seqNo = from; seqNo <= to; seqNo++) store.append(operation(seqNo));
  await store.synced();
}

/** Numbers of the operations that an open replays. */
export async function replayed(store: ShardStore): Promise<number[]> {
  const seqNos: number[] = [];
  for await (const { seqNo } of store.replay()) seqNos.push(seqNo);
  return seqNos;
}

/** A commit of no segments that covers the operations up to `maxSeqNo`. */
export const emptyCommit = (maxSeqNo: number) => ({
  segments: [],
  maxSeqNo,
  primaryTerm: 1,
  nextSegment: 0,
  superseded: [],
  tombstones: [],
  leases: [],
  historyFloor: 0,
  retriesFrom: -1,
});

/** Changes the closed store behind its back. */
export async function change(stores: KeyValueStores, edit: (store: KeyValueStore) => Promise<void>): Promise<void> {
  const store = await stores.open('shard/db');
  await edit(store);
  await store.close();
}
