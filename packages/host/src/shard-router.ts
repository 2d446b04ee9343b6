import type { Channel, ChannelHandler, RequestOptions } from '@shoal/doors';
import { encodeError, errors } from '@shoal/errors';
import { shard } from '@shoal/protocol';
import { placeShard } from './place-shard.js';

type Targets = readonly shard.ShardTarget[];

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/**
 * Hands the messages for a node's shards to the threads that hold them: one thread gets the bytes as they came, several
 * get their part of a query, and their answers are put together. `threads[i]` leads to thread i.
 */
export function createShardRouter(threads: readonly Channel[]): ChannelHandler {
  const only = threads.length === 1 ? threads[0]! : null;
  const at = (ref: shard.ShardRef | undefined): Channel => threads[placeShard(ref?.indexUuid ?? '', ref?.shard ?? 0, threads.length)]!;
  const send = (action: string, ref: shard.ShardRef | undefined, payload: Uint8Array, options: RequestOptions) => at(ref).request(action, payload, options);

  const routes: Readonly<Record<string, (payload: Uint8Array, options: RequestOptions) => Promise<Uint8Array>>> = {
    'shard/bulk': (payload, options) => send('shard/bulk', shard.decodeBulkShardRequest(payload).shard, payload, options),
    'shard/get': (payload, options) => send('shard/get', shard.decodeGetRequest(payload).shard, payload, options),
    'shard/call': (payload, options) => send('shard/call', shard.decodeShardCall(payload).shard, payload, options),
    'shard/fetch': (payload, options) => send('shard/fetch', shard.decodeFetchRequest(payload).target?.shard, payload, options),
    'shard/query': (payload, options) => query(shard.decodeQueryRequest(payload), payload, options),
    'shard/open-contexts': (payload, options) => openContexts(shard.decodeOpenContextRequest(payload), options),
    'shard/free-contexts': (payload, options) => freeContexts(payload, options),
  };

  /** Positions of targets by thread, threads without any left out. */
  const split = (targets: Targets): [thread: number, positions: number[]][] => {
    const byThread = new Map<number, number[]>();
    targets.forEach((target, i) => {
      const thread = placeShard(target.shard?.indexUuid ?? '', target.shard?.shard ?? 0, threads.length);
      byThread.set(thread, [...(byThread.get(thread) ?? []), i]);
    });
    return [...byThread];
  };

  const query = async (request: shard.QueryRequest, payload: Uint8Array, options: RequestOptions): Promise<Uint8Array> => {
    const parts = split(request.targets);
    if (parts.length === 1) return threads[parts[0]![0]]!.request('shard/query', payload, options);
    const answers = await Promise.all(parts.map((part) => queryPart(request, part, options)));
    return shard.encodeQueryResponse({ results: answers.flat().sort((a, b) => a.target - b.target) });
  };

  const queryPart = async (request: shard.QueryRequest, [thread, positions]: [number, number[]], options: RequestOptions): Promise<shard.ShardQueryResult[]> => {
    const part = shard.encodeQueryRequest({ ...request, targets: positions.map((i) => request.targets[i]!) });
    const { results } = shard.decodeQueryResponse(await threads[thread]!.request('shard/query', part, options));
    return results.map((result) => ({ ...result, target: positions[result.target]! }));
  };

  const openContexts = async (request: shard.OpenContextRequest, options: RequestOptions): Promise<Uint8Array> => {
    const contexts = request.targets.map(() => '');
    const failures: Uint8Array[] = request.targets.map(() => new Uint8Array(0));
    await Promise.all(
      split(request.targets).map(async ([thread, positions]) => {
        const part = shard.encodeOpenContextRequest({ ...request, targets: positions.map((i) => request.targets[i]!) });
        try {
          const answer = shard.decodeOpenContextResponse(await threads[thread]!.request('shard/open-contexts', part, options));
          positions.forEach((position, i) => {
            contexts[position] = answer.contexts[i] ?? '';
            failures[position] = answer.errors[i] ?? new Uint8Array(0);
          });
        } catch (error) {
          for (const position of positions) failures[position] = json(encodeError(error));
        }
      }),
    );
    return shard.encodeOpenContextResponse({ contexts, errors: failures });
  };

  /** A thread ignores contexts that are not its own, so all are asked. */
  const freeContexts = async (payload: Uint8Array, options: RequestOptions): Promise<Uint8Array> => {
    const answers = await Promise.all(threads.map((thread) => thread.request('shard/free-contexts', payload.slice(), options)));
    return shard.encodeFreeContextsResponse({ freed: answers.reduce((sum, bytes) => sum + shard.decodeFreeContextsResponse(bytes).freed, 0) });
  };

  return (action, payload, signal) => {
    const options = { signal };
    if (only) return only.request(action, payload, options);
    const route = routes[action];
    return route ? route(payload, options) : Promise.reject(errors.illegalArgument(`unknown action [${action}]`));
  };
}
