import { applyDiff, type ClusterState, emptyState, type IndexMetadata, type ShardRouting } from '@shoal/cluster';
import type { Channel, ChannelHandler, Clock, Log } from '@shoal/doors';
import { encodeError, errors } from '@shoal/errors';
import { master, shard } from '@shoal/protocol';
import { executeFetchPhase, executeQueryPhase, type SearcherLease, type Shard } from '@shoal/shard';
import { createIndexContexts } from './index-contexts.js';
import { placeShard } from './place-shard.js';
import { createProgress } from './progress.js';
import { createReaderContexts } from './reader-contexts.js';

/** How often contexts are looked at for expiry, and buffers for their size. */
const UPKEEP_INTERVAL_MS = 1_000;

export interface OpenShardRequest {
  readonly index: IndexMetadata;
  readonly routing: ShardRouting;
}

export interface ShardRoomOptions {
  /** This thread among `threads`. */
  readonly thread: number;
  readonly threads: number;
  readonly nodeId: string;
  /** Distinguishes this start of the process in context ids. */
  readonly session: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Reaches the elected master. */
  readonly master: Channel;
  /** Budget for documents of all shards of the thread that are not in a segment yet. */
  readonly indexBufferBytes: number;
  /** Opens a shard's engine over the node's doors. */
  readonly open: (request: OpenShardRequest, options: OpenedIndex) => Promise<Shard>;
  /** Removes what a deleted shard has on disk. */
  readonly destroy: (indexUuid: string, shard: number) => Promise<void>;
}

/** What all shards of an index on this thread share. */
export type OpenedIndex = ReturnType<ReturnType<typeof createIndexContexts>['of']>;

export interface ShardRoom {
  readonly handle: ChannelHandler;
  /** Flushes and closes all shards. */
  close(): Promise<void>;
}

interface Held {
  readonly shard: Promise<Shard>;
  readonly allocationId: string;
  opened: Shard | null;
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value ?? null));
const key = (indexUuid: string, id: number): string => `${indexUuid}/${id}`;

/** The shards of one thread: opens and closes them as the cluster state says and answers the messages for them. */
export function createShardRoom(options: ShardRoomOptions): ShardRoom {
  const { clock, log } = options;
  const held = new Map<string, Held>();
  const indices = createIndexContexts();
  const contexts = createReaderContexts(`${options.session}.${options.thread}`, clock);
  let state: ClusterState = emptyState();
  let closed = false;

  /** Over the budget the shard that holds most is flushed: its buffer becomes a segment. */
  const boundBuffers = (): void => {
    const opened = [...held.values()].flatMap((entry) => (entry.opened ? [entry.opened] : []));
    const total = opened.reduce((sum, one) => sum + one.memoryBytes(), 0);
    if (total <= options.indexBufferBytes) return;
    const largest = opened.reduce((a, b) => (b.memoryBytes() > a.memoryBytes() ? b : a));
    largest.flush().catch((error: unknown) => log.write('error', 'a buffer over the budget could not be flushed', { index: largest.index, shard: largest.id, error }));
  };

  const upkeep = (): void => {
    if (closed) return;
    contexts.expire();
    boundBuffers();
    clock.after(UPKEEP_INTERVAL_MS, upkeep);
  };
  clock.after(UPKEEP_INTERVAL_MS, upkeep);

  const task = async (name: string, body: unknown): Promise<unknown> => {
    const request = master.encodeMasterTaskRequest({ task: name, body: json(body), timeoutMs: 30_000 });
    const answer = master.decodeMasterTaskResponse(await options.master.request('master/task', request));
    return JSON.parse(Buffer.from(answer.body).toString('utf8')) as unknown;
  };

  const shardOf = async (ref: shard.ShardRef | undefined): Promise<Shard> => {
    const found = ref && held.get(key(ref.indexUuid, ref.shard));
    if (!found) throw errors.noShardAvailable(null);
    return found.opened ?? found.shard;
  };

  // ---- cluster state ----

  const isMine = (routing: ShardRouting): boolean =>
    routing.nodeId === options.nodeId && (routing.state === 'INITIALIZING' || routing.state === 'STARTED') && placeShard(routing.indexUuid, routing.shard, options.threads) === options.thread;

  const wanted = (): Map<string, ShardRouting> => {
    const result = new Map<string, ShardRouting>();
    for (const [uuid, groups] of state.routing) {
      if (state.indices.get(uuid)?.state !== 'open') continue;
      for (const routing of groups.flat()) if (isMine(routing)) result.set(key(uuid, routing.shard), routing);
    }
    return result;
  };

  const report = (routing: ShardRouting, failure: unknown): void => {
    const { indexUuid, shard: id, allocationId } = routing;
    const body = { indexUuid, shard: id, allocationId, ...(failure ? { failure: encodeError(failure) } : {}) };
    task(failure ? 'shard-failed' : 'shard-started', body).catch((error: unknown) => {
      if (!closed) log.write('warn', 'the master did not take the report about a shard', { indexUuid, shard: id, error });
    });
  };

  const openOne = (routing: ShardRouting): void => {
    const index = state.indices.get(routing.indexUuid)!;
    const entry: Held = { allocationId: routing.allocationId ?? '', opened: null, shard: options.open({ index, routing }, indices.of(index)) };
    held.set(key(index.uuid, routing.shard), entry);
    entry.shard.then(
      (opened) => {
        entry.opened = opened;
        // The state may have moved on while the store was opened.
        const current = state.indices.get(routing.indexUuid);
        if (current) opened.applyMetadata(indices.of(current));
        if (routing.state === 'INITIALIZING') report(routing, null);
      },
      (error: unknown) => {
        held.delete(key(index.uuid, routing.shard));
        log.write('error', 'a shard could not be opened', { index: index.name, shard: routing.shard, error });
        report(routing, error);
      },
    );
  };

  const closeOne = async (name: string, entry: Held): Promise<void> => {
    held.delete(name);
    const [indexUuid, id] = name.split('/') as [string, string];
    const opened = await entry.shard.catch(() => null);
    await opened?.close();
    if (!state.indices.has(indexUuid)) await options.destroy(indexUuid, Number(id));
  };

  const reconcile = (previous: ClusterState): void => {
    const target = wanted();
    for (const [name, entry] of held) {
      if (target.has(name)) continue;
      const indexUuid = name.split('/')[0]!;
      contexts.freeIndex(indexUuid);
      closeOne(name, entry).catch((error: unknown) => log.write('warn', 'a shard did not close cleanly', { shard: name, error }));
    }
    for (const [uuid, index] of state.indices) {
      if (previous.indices.get(uuid) === index) continue;
      for (const [name, entry] of held) if (name.startsWith(`${uuid}/`)) entry.opened?.applyMetadata(indices.of(index));
    }
    for (const [name, routing] of target) if (!held.has(name)) openOne(routing);
    indices.retain(new Set(state.indices.keys()));
  };

  const publish = (payload: Uint8Array): Uint8Array => {
    const publication = master.decodePublication(payload);
    if (publication.baseVersion !== 0 && publication.baseVersion !== state.version) {
      return master.encodePublicationAnswer({ version: state.version, needFull: true });
    }
    const previous = state;
    const base = publication.baseVersion === 0 ? emptyState() : state;
    state = applyDiff(base, JSON.parse(Buffer.from(publication.body).toString('utf8')));
    reconcile(previous);
    return master.encodePublicationAnswer({ version: state.version, needFull: false });
  };

  // ---- messages ----

  const bulk = async (payload: Uint8Array): Promise<Uint8Array> => {
    const request = shard.decodeBulkShardRequest(payload);
    const target = await shardOf(request.shard);
    const indexUuid = request.shard!.indexUuid;
    const answer = await target.bulk(request, {
      updateMapping: async (mapping) => void (await task('dynamic-mapping', { indexUuid, mapping })),
    });
    return shard.encodeBulkShardResponse(answer);
  };

  const get = async (payload: Uint8Array): Promise<Uint8Array> => {
    const request = shard.decodeGetRequest(payload);
    return shard.encodeGetResponse(await (await shardOf(request.shard)).get(request));
  };

  const withLease = async <T>(target: shard.ShardTarget, keepAliveMs: number, work: (lease: SearcherLease) => Promise<T>): Promise<T> => {
    if (target.context !== undefined) return contexts.use(target.context, keepAliveMs, work);
    const lease = await (await shardOf(target.shard)).acquire();
    try {
      return await work(lease);
    } finally {
      lease.release();
    }
  };

  const queryOne = async (request: shard.QueryRequest, position: number, signal: AbortSignal): Promise<shard.ShardQueryResult> => {
    const target = request.targets[position]!;
    const progress = createProgress(clock, signal, null);
    const run = (lease: SearcherLease) => executeQueryPhase(lease, target, request, progress);
    if (!request.keepContext || target.context !== undefined) {
      const result = await withLease(target, request.keepAliveMs, run);
      return { ...result, target: position, context: target.context };
    }
    const lease = await (await shardOf(target.shard)).acquire();
    try {
      const result = await run(lease);
      return { ...result, target: position, context: contexts.open(lease, target.shard!.indexUuid, request.keepAliveMs) };
    } catch (error) {
      lease.release();
      throw error;
    }
  };

  const query = async (payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    const request = shard.decodeQueryRequest(payload);
    const results: shard.ShardQueryResult[] = [];
    for (let i = 0; i < request.targets.length; i++) {
      results.push(await queryOne(request, i, signal).catch((error: unknown) => failedResult(i, error)));
    }
    return shard.encodeQueryResponse({ results });
  };

  const fetch = async (payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    const request = shard.decodeFetchRequest(payload);
    const target = request.target!;
    const hits = await withLease(target, 0, (lease) => executeFetchPhase(lease, request, createProgress(clock, signal, null)));
    if (request.freeContext && target.context !== undefined) contexts.free([target.context]);
    return shard.encodeFetchResponse({ hits });
  };

  const openContexts = async (payload: Uint8Array): Promise<Uint8Array> => {
    const request = shard.decodeOpenContextRequest(payload);
    const answer: { contexts: string[]; errors: Uint8Array[] } = { contexts: [], errors: [] };
    for (const target of request.targets) {
      try {
        const lease = await (await shardOf(target.shard)).acquire();
        answer.contexts.push(contexts.open(lease, target.shard!.indexUuid, request.keepAliveMs));
        answer.errors.push(new Uint8Array(0));
      } catch (error) {
        answer.contexts.push('');
        answer.errors.push(json(encodeError(error)));
      }
    }
    return shard.encodeOpenContextResponse(answer);
  };

  const call = async (payload: Uint8Array): Promise<Uint8Array> => {
    const request = shard.decodeShardCall(payload);
    const target = await shardOf(request.shard);
    const body = request.body.length === 0 ? null : (JSON.parse(Buffer.from(request.body).toString('utf8')) as unknown);
    return shard.encodeShardCallResponse({ body: json(await target.call(request.action, body)) });
  };

  const actions: Readonly<Record<string, (payload: Uint8Array, signal: AbortSignal) => Promise<Uint8Array> | Uint8Array>> = {
    'state/publish': publish,
    'shard/bulk': bulk,
    'shard/get': get,
    'shard/query': query,
    'shard/fetch': fetch,
    'shard/call': call,
    'shard/open-contexts': openContexts,
    'shard/free-contexts': (payload) => shard.encodeFreeContextsResponse({ freed: contexts.free(shard.decodeFreeContextsRequest(payload).contexts) }),
  };

  return {
    async handle(action, payload, signal) {
      const run = actions[action];
      if (!run) throw errors.illegalArgument(`unknown action [${action}]`);
      return run(payload, signal);
    },
    async close() {
      closed = true;
      await Promise.all([...held].map(([name, entry]) => closeOne(name, entry)));
    },
  };
}

function failedResult(target: number, error: unknown): shard.ShardQueryResult {
  return {
    ...shard.decodeShardQueryResult(new Uint8Array(0)),
    target,
    error: json(encodeError(error)),
  };
}
