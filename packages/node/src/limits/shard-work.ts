import { type ChannelHandler, type LocalHandler, type RequestOrigin, withLocalHandler } from '@shoal/doors';
import { methodOf, type Pool, shard } from '@shoal/protocol';
import type { IndexingPressure } from './indexing-pressure.js';
import type { PoolCounts, WorkPool } from './work-pool.js';

/** Limits messages to a node's shards by Elasticsearch's thread pools. */
export interface ShardWork {
  readonly handle: ChannelHandler;
  /** Counts of a pool; zeros for one without work. */
  pool(name: string): PoolCounts;
}

/** Pools and indexing pressure that limit messages to shards. */
export interface ShardWorkOptions {
  readonly localNodeId: string;
  /** Limited by its size: this many searches run in turns on the shard threads. */
  readonly search: WorkPool;
  /** As `search`, for searches on this thread that aggregate: what they ask for is known without decoding it. */
  readonly aggregation: WorkPool;
  /**
   * `get` and `write` are limited by their queues alone. A write waits for replicas on other nodes, whose writes may
   * wait for this node: a full pool of waiting writes would block both.
   */
  readonly get: WorkPool;
  readonly write: WorkPool;
  readonly pressure: IndexingPressure;
  /** Makes the pools that only count. */
  readonly countingPool: (name: string) => WorkPool;
}

/** Actions whose messages arrive as objects, and are limited without being encoded. */
const LOCAL = new Set([shard.methods.bulk, shard.methods.query, shard.methods.fetch].map(({ action }) => action));
const POOL_OF_CALL: Readonly<Record<string, string>> = {
  refresh: 'refresh',
  flush: 'flush',
  force_merge: 'force_merge',
};
const IDLE: PoolCounts = { active: 0, queue: 0, largest: 0, completed: 0, rejected: 0 };

/** Whether a query message on this thread, which has its search parsed, asks for aggregations. */
const aggregates = (message: unknown): boolean =>
  ((message as { readonly search?: { readonly aggregations: unknown } }).search?.aggregations ?? null) !== null;

const sumOf = (a: PoolCounts, b: PoolCounts): PoolCounts => ({
  active: a.active + b.active,
  queue: a.queue + b.queue,
  largest: Math.max(a.largest, b.largest),
  completed: a.completed + b.completed,
  rejected: a.rejected + b.rejected,
});

/** Limits and counts messages before they reach `inner`. */
export function limitShardWork(inner: ChannelHandler, options: ShardWorkOptions): ShardWork {
  const { localNodeId, search, aggregation, get, write, pressure } = options;
  const counting = new Map<string, WorkPool>();
  const poolOfCall = (payload: Uint8Array): WorkPool => {
    const call = shard.decodeShardCall(payload).action;
    const name = Object.hasOwn(POOL_OF_CALL, call) ? POOL_OF_CALL[call]! : 'management';
    let pool = counting.get(name);
    if (pool === undefined) counting.set(name, (pool = options.countingPool(name)));
    return pool;
  };
  const within = async <T>(pool: WorkPool, work: () => Promise<T>, isOwn = false): Promise<T> => {
    const turn = pool.enter(isOwn);
    if (turn !== null) await turn;
    try {
      return await work();
    } finally {
      pool.leave();
    }
  };
  const isLocal = (origin: RequestOrigin | undefined): boolean =>
    origin?.parentTask?.startsWith(`${localNodeId}:`) === true;
  const bulk = async <T>(bytes: number, origin: RequestOrigin | undefined, work: () => Promise<T>): Promise<T> => {
    const release = pressure.takePrimary(bytes, isLocal(origin));
    try {
      return await within(write, work, isLocal(origin));
    } finally {
      release();
    }
  };
  const replicate: ChannelHandler = async (action, payload, signal, origin) => {
    const release = await pressure.takeReplica(payload.length);
    try {
      return await inner(action, payload, signal, origin);
    } finally {
      release();
    }
  };
  const shardCall: ChannelHandler = async (action, payload, signal, origin) =>
    within(poolOfCall(payload), () => inner(action, payload, signal, origin));
  /** Handlers by the pool that a message's method names. */
  const limits: Readonly<Record<Pool, ChannelHandler>> = {
    SEARCH: (action, payload, signal, origin) =>
      within(search, () => inner(action, payload, signal, origin), isLocal(origin)),
    GET: (action, payload, signal, origin) =>
      within(get, () => inner(action, payload, signal, origin), isLocal(origin)),
    WRITE: (action, payload, signal, origin) =>
      bulk(payload.length, origin, () => inner(action, payload, signal, origin)),
    REPLICA: replicate,
    CALL: shardCall,
  };
  const handle: ChannelHandler = (action, payload, signal, origin) => {
    const pool = methodOf(action)?.pool;
    return (pool ? limits[pool] : inner)(action, payload, signal, origin);
  };
  const { local } = inner;
  const limitLocal =
    ({ handle: work }: LocalHandler): LocalHandler['handle'] =>
    (action, message, signal, origin) =>
      methodOf(action)?.pool === 'SEARCH'
        ? within(aggregates(message) ? aggregation : search, () => work(action, message, signal), isLocal(origin))
        : bulk((message as shard.BulkShardRequest).sources.length, origin, () => work(action, message, signal));
  return {
    handle: withLocalHandler(handle, local && { actions: LOCAL, handle: limitLocal(local) }),
    pool: (name) =>
      name === 'search'
        ? sumOf(search.counts, aggregation.counts)
        : ((name === 'get' ? get : name === 'write' ? write : counting.get(name))?.counts ?? IDLE),
  };
}
