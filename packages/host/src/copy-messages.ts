import { type Answerer, answerersByShard, recovery, replication } from '@shoal/protocol';
import type { HeldShards } from './held-shards.js';

/** Returns the handlers of messages between copies by action; each message is for one copy of this thread. */
export function copyMessages(shards: HeldShards): ReadonlyMap<string, Answerer> {
  return new Map([
    ...answerersByShard(replication.methods, (key) => shards.copyNow(key.indexUuid, key.shard).replication),
    ...answerersByShard(recovery.methods, (key) => shards.copyNow(key.indexUuid, key.shard).recovery),
  ]);
}
