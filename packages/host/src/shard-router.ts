import {
  type Channel,
  type ChannelHandler,
  inTurns,
  type RequestOptions,
  type RequestOrigin,
  sendMessage,
  type ShardKey,
  withLocalHandler,
} from '@shoal/doors';
import { errors } from '@shoal/errors';
import { errorMessage, type Handler, type Method, methodOf, NO_ERROR, shard, stores } from '@shoal/protocol';
import { placeShard } from './place-shard.js';

/**
 * Routes messages for a node's shards to the threads that hold them. One thread gets the bytes unchanged. If several
 * threads are concerned, each gets its part of a query, and their answers are merged. `threads[i]` is the channel to
 * thread i.
 */
export function createShardRouter(threads: readonly Channel[]): ChannelHandler {
  if (threads.length === 1) return toOnly(threads[0]!);
  const router = new ShardRouter(threads);
  return (action, payload, signal, origin) =>
    router.route(action, payload, origin?.shard, { signal, onThread: origin?.onThread });
}

function toOnly(thread: Channel): ChannelHandler {
  const { local } = thread;
  return withLocalHandler(
    (action, payload, signal, origin) => {
      origin?.onThread?.(0);
      return thread.request(action, payload, { signal });
    },
    local && {
      actions: local.actions,
      handle: (action, message, signal) => local.request(action, message, { signal }),
    },
  );
}

/** Options of a message to shards; `onThread` is called for each thread that gets a part of it. */
interface RouteOptions extends RequestOptions {
  readonly onThread?: RequestOrigin['onThread'];
}

/** Handlers of messages for several threads; `payload` is the encoded request. */
type Spread<Handlers> = {
  readonly [Name in keyof Handlers]: Handlers[Name] extends Handler<infer Request, object>
    ? (request: Request, payload: Uint8Array, options: RouteOptions) => Promise<Uint8Array>
    : never;
};

class ShardRouter {
  readonly #threads: readonly Channel[];
  /** Handlers of messages that may be for more than one thread. */
  readonly #spread: Spread<shard.SpreadShardHandlers & stores.SpreadStoresHandlers> = {
    query: (request, payload, options) => this.#query(request, payload, options),
    canMatch: (request, _payload, options) => this.#canMatch(request, options),
    openContexts: (request, _payload, options) => this.#openContexts(request, options),
    freeContexts: (_request, payload, options) => this.#freeContexts(payload, options),
    list: () => this.#listStores(),
  };
  readonly #spreadActions: ReadonlyMap<string, (payload: Uint8Array, options: RouteOptions) => Promise<Uint8Array>>;

  constructor(threads: readonly Channel[]) {
    this.#threads = threads;
    const methods: Readonly<Record<string, Method<object, object>>> = { ...shard.methods, ...stores.methods };
    this.#spreadActions = new Map(
      Object.entries<(request: never, payload: Uint8Array, options: RouteOptions) => Promise<Uint8Array>>(
        this.#spread,
      ).map(([name, answer]) => [
        methods[name]!.action,
        (payload, options) => answer(methods[name]!.decodeRequest(payload) as never, payload, options),
      ]),
    );
  }

  /** Routes a message. `told`: its shard if the sender named it; else the shard is read from the payload. */
  async route(
    action: string,
    payload: Uint8Array,
    told: ShardKey | undefined,
    options: RouteOptions,
  ): Promise<Uint8Array> {
    const method = methodOf(action);
    if (method?.route === 'SHARD') {
      const thread = this.#threadOf(told ?? method.shardOf(method.decodeRequest(payload)));
      options.onThread?.(thread);
      return this.#threads[thread]!.request(action, payload, options);
    }
    const answer = this.#spreadActions.get(action);
    if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
    return answer(payload, options);
  }

  /** Merges the lists of copies that each thread would hold. */
  async #listStores(): Promise<Uint8Array> {
    const lists = await Promise.all(this.#threads.map((thread) => sendMessage(thread, stores.methods.list, {})));
    return stores.encodeStoreList({
      shards: lists.flatMap(({ shards }) => shards),
      busy: lists.flatMap(({ busy }) => busy),
    });
  }

  #threadOf(ref: ShardKey | undefined): number {
    return placeShard(ref?.indexUuid ?? '', ref?.shard ?? 0, this.#threads.length);
  }

  /** Groups the positions of targets by thread; threads without targets are left out. */
  #split(targets: readonly shard.ShardTarget[], { onThread }: RouteOptions): [thread: number, positions: number[]][] {
    const byThread = new Map<number, number[]>();
    targets.forEach((target, i) => {
      const thread = this.#threadOf(target.shard);
      const positions = byThread.get(thread);
      if (positions) positions.push(i);
      else byThread.set(thread, [i]);
    });
    for (const thread of byThread.keys()) onThread?.(thread);
    return [...byThread];
  }

  async #query(request: shard.QueryRequest, payload: Uint8Array, options: RouteOptions): Promise<Uint8Array> {
    const parts = this.#split(request.targets, options);
    if (parts.length === 1) return this.#threads[parts[0]![0]]!.request(shard.methods.query.action, payload, options);
    // A thread searches its shards one by one, so it counts as one concurrent search.
    const answers = await inTurns(parts, request.maxConcurrent || parts.length, (part) =>
      this.#queryPart(request, part, options),
    );
    return shard.encodeQueryResponse({
      results: answers.flatMap(({ results }) => results).sort((a, b) => a.target - b.target),
      serviceMs: Math.max(...answers.map((answer) => answer.serviceMs ?? 0)),
      queue: Math.max(...answers.map((answer) => answer.queue ?? 0)),
    });
  }

  async #queryPart(
    request: shard.QueryRequest,
    [thread, positions]: [number, number[]],
    options: RouteOptions,
  ): Promise<shard.QueryResponse> {
    const part = { ...request, targets: positions.map((i) => request.targets[i]!) };
    const answer = await sendMessage(this.#threads[thread]!, shard.methods.query, part, options);
    return { ...answer, results: answer.results.map((result) => ({ ...result, target: positions[result.target]! })) };
  }

  async #canMatch(request: shard.CanMatchRequest, options: RouteOptions): Promise<Uint8Array> {
    const results = await Promise.all(
      this.#split(request.targets, options).map(async ([thread, positions]) => {
        const part = { ...request, targets: positions.map((i) => request.targets[i]!) };
        const answer = await sendMessage(this.#threads[thread]!, shard.methods.canMatch, part, options);
        return answer.results.map((result) => ({ ...result, target: positions[result.target]! }));
      }),
    );
    return shard.encodeCanMatchResponse({ results: results.flat() });
  }

  async #openContexts(request: shard.OpenContextRequest, options: RouteOptions): Promise<Uint8Array> {
    const answer = {
      contexts: request.targets.map(() => ''),
      errors: request.targets.map(() => NO_ERROR),
      errorsJson: [],
    };
    await Promise.all(
      this.#split(request.targets, options).map(([thread, positions]) =>
        this.#openPart(request, thread, positions, options).then(
          (part) =>
            positions.forEach(
              (position, i) =>
                ([answer.contexts[position], answer.errors[position]] = [part.contexts[i]!, part.errors[i]!]),
            ),
          (error: unknown) => positions.forEach((position) => (answer.errors[position] = errorMessage(error))),
        ),
      ),
    );
    return shard.encodeOpenContextResponse(answer);
  }

  async #openPart(
    request: shard.OpenContextRequest,
    thread: number,
    positions: readonly number[],
    options: RouteOptions,
  ): Promise<shard.OpenContextResponse> {
    const part = { ...request, targets: positions.map((i) => request.targets[i]!) };
    return sendMessage(this.#threads[thread]!, shard.methods.openContexts, part, options);
  }

  /** Asks all threads to free contexts: a thread ignores contexts of others. */
  async #freeContexts(payload: Uint8Array, options: RouteOptions): Promise<Uint8Array> {
    const answers = await Promise.all(
      this.#threads.map((thread) => thread.request(shard.methods.freeContexts.action, payload.slice(), options)),
    );
    return shard.encodeFreeContextsResponse({
      freed: answers.reduce((sum, bytes) => sum + shard.decodeFreeContextsResponse(bytes).freed, 0),
    });
  }
}
