import type { ChannelHandler } from '@shoal/doors';
import { shard } from '@shoal/protocol';

export interface PoolCounts {
  active: number;
  /** Highest `active` so far. */
  largest: number;
  completed: number;
}

export interface BytesInWork {
  readonly current: number;
  readonly total: number;
}

/** What a node's shards have been asked for, by the thread pools that Elasticsearch has for it. */
export interface CountedWork {
  readonly handle: ChannelHandler;
  /** Counts of a pool; zeros for one without work. */
  pool(name: string): PoolCounts;
  /** Bytes of bulk requests: those being worked on and all so far. */
  readonly written: BytesInWork;
  /** Of what primaries elsewhere send to copies here. */
  readonly replicated: BytesInWork;
}

const POOL_OF_ACTION: Readonly<Record<string, string>> = {
  'shard/bulk': 'write',
  'replication/replicate': 'write',
  'shard/get': 'get',
  'shard/query': 'search',
  'shard/fetch': 'search',
  'shard/open-contexts': 'search',
};
const POOL_OF_CALL: Readonly<Record<string, string>> = { refresh: 'refresh', flush: 'flush', force_merge: 'force_merge' };

function poolOf(action: string, payload: Uint8Array): string | null {
  if (action !== 'shard/call') return Object.hasOwn(POOL_OF_ACTION, action) ? POOL_OF_ACTION[action]! : null;
  const call = shard.decodeShardCall(payload).action;
  return Object.hasOwn(POOL_OF_CALL, call) ? POOL_OF_CALL[call]! : 'management';
}

/** Counts the messages on their way to `inner`. */
export function countWork(inner: ChannelHandler): CountedWork {
  const pools = new Map<string, PoolCounts>();
  const written = { current: 0, total: 0 };
  const replicated = { current: 0, total: 0 };
  const others = { current: 0, total: 0 };
  const bytesOf = (action: string): typeof written => (action === 'shard/bulk' ? written : action === 'replication/replicate' ? replicated : others);
  const pool = (name: string): PoolCounts => {
    let counts = pools.get(name);
    if (counts === undefined) pools.set(name, (counts = { active: 0, largest: 0, completed: 0 }));
    return counts;
  };
  return {
    async handle(action, payload, signal) {
      const name = poolOf(action, payload);
      if (name === null) return inner(action, payload, signal);
      const bytes = bytesOf(action);
      const { length } = payload;
      const counts = pool(name);
      counts.active++;
      counts.largest = Math.max(counts.largest, counts.active);
      bytes.current += length;
      bytes.total += length;
      try {
        return await inner(action, payload, signal);
      } finally {
        counts.active--;
        counts.completed++;
        bytes.current -= length;
      }
    },
    pool,
    written,
    replicated,
  };
}
