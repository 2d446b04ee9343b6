/** Cancellation, time limit and parent task of one request. */
export interface RequestOptions {
  /** Aborting it cancels the request at its handler. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit for the answer of another node, in milliseconds; then the request rejects with
   * `receive_timeout_transport_exception`. Ignored within a process.
   */
  readonly timeoutMs?: number | undefined;
  /** Parent task of the request, `node:id`: the task of its handler is listed below it. */
  readonly parentTask?: string | undefined;
  /** The shard that the request is for: who passes it on need not decode it. `sendMessage` fills it in. */
  readonly shard?: ShardKey | undefined;
}

/** RPC client: sends a message of `proto/` to one thread or node and waits for the bytes of its answer. */
export interface Channel {
  /**
   * `action` names the message pair; `payload` is its encoded request, and the channel takes it over. Rejects with the
   * ApiError that the handler threw. If the thread has ended, rejects with `no_shard_available_action_exception`. If
   * the node is not connected, rejects with `node_not_connected_exception`; if the connection ends after the request
   * was sent, with `node_disconnected_exception`.
   */
  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array>;
  /** Sends messages as objects; undefined if the handler is on another thread or node. Used by `sendMessage`. */
  readonly local?: LocalChannel | undefined;
}

/**
 * Passes messages as objects to a handler on the same thread, without encoding. Neither side may change a message or an
 * answer after it has passed them.
 */
export interface LocalChannel {
  /** Actions that it takes; all others go through `Channel.request`. */
  readonly actions: ReadonlySet<string>;
  /** As `Channel.request`, with the decoded request and answer. */
  request(action: string, message: object, options?: RequestOptions): Promise<object>;
}

/** The shard that a message is for: the id of its index, and its number among the index's shards. */
export interface ShardKey {
  readonly indexUuid: string;
  readonly shard: number;
}

/** A request of `proto/` and its answer, and how the asking side encodes and decodes them. */
export interface MessagePair<Request extends object, Answer extends object> {
  /** Name of the message between threads and nodes, such as `shard/query`. */
  readonly action: string;
  encodeRequest(request: Request): Uint8Array;
  decodeAnswer(bytes: Uint8Array): Answer;
  /** The shard that a request is for; undefined if it is for none or for several. */
  shardOf(request: Request): ShardKey | undefined;
}

/**
 * Sends a message and waits for its answer: as an object if `channel.local` takes the action, else as bytes. Rejects as
 * `Channel.request` does.
 */
export async function sendMessage<Request extends object, Answer extends object>(
  channel: Channel,
  pair: MessagePair<Request, Answer>,
  request: Request,
  options?: RequestOptions,
): Promise<Answer> {
  if (channel.local?.actions.has(pair.action))
    return channel.local.request(pair.action, request, options) as Promise<Answer>;
  const shard = pair.shardOf(request);
  const routed = shard === undefined ? options : ofShard(options, shard);
  return pair.decodeAnswer(await channel.request(pair.action, pair.encodeRequest(request), routed));
}

/** Written out, as V8 calls its runtime to add a property to a spread object: 5 us of a get of 70. */
const ofShard = (options: RequestOptions | undefined, shard: ShardKey): RequestOptions => ({
  signal: options?.signal,
  timeoutMs: options?.timeoutMs,
  parentTask: options?.parentTask,
  shard,
});

/** Parent task, shard and sender of a request, for its handler. */
export interface RequestOrigin {
  /** Parent task of the request, `node:id`; null if it has none. */
  readonly parentTask: string | null;
  /** The shard that the request is for, if its sender named one. */
  readonly shard?: ShardKey | undefined;
  /** Id of the node that sent the request over a link; undefined within a node. */
  readonly nodeId?: string;
  /** Called with the number of each shard thread that gets a part of the request. */
  readonly onThread?: ((thread: number) => void) | undefined;
}

/** Answers the messages of a `LocalChannel`. */
export interface LocalHandler {
  readonly actions: ReadonlySet<string>;
  handle(action: string, message: object, signal: AbortSignal, origin?: RequestOrigin): Promise<object>;
}

/** Answers the messages of a `Channel`. `signal` aborts when the caller has given up. */
export interface ChannelHandler {
  (action: string, payload: Uint8Array, signal: AbortSignal, origin?: RequestOrigin): Promise<Uint8Array>;
  /** Answers messages that come as objects (`Channel.local`); undefined if all come as bytes. */
  readonly local?: LocalHandler | undefined;
}

/** A handler that answers bytes with `handle` and objects with `local`, if given. */
export function withLocalHandler(handle: ChannelHandler, local: LocalHandler | undefined): ChannelHandler {
  const own: ChannelHandler = (action, payload, signal, origin) => handle(action, payload, signal, origin);
  return local === undefined ? handle : Object.assign(own, { local });
}
