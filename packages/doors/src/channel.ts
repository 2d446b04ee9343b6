export interface RequestOptions {
  /** The request is cancelled at its handler when this aborts. */
  readonly signal?: AbortSignal;
  /**
   * The wait for another node ends with `receive_timeout_transport_exception` after so long; not heeded within a
   * process.
   */
  readonly timeoutMs?: number;
  /** Task that the request is part of, `node:id`: its handler shows up below it. */
  readonly parentTask?: string;
}

/** Sends a message of `proto/` to the holder of shards or to the master and waits for the answer's bytes. */
export interface Channel {
  /**
   * `action` names the message pair; `payload` is its encoded request and is owned by the channel from here on.
   * Rejects with the ApiError that the handler threw; when the link is down, with `no_shard_available_action_exception`
   * (threads), `node_not_connected_exception` or, once it is sent, `node_disconnected_exception` (nodes).
   */
  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array>;
  /** The way without bytes, to holders on the same thread; left out: there is none. See `sendMessage`. */
  readonly hand?: HandedChannel | undefined;
}

/**
 * Does what `Channel.request` does for the actions named, and hands message and answer over as the objects that they
 * are. Neither side changes them afterwards.
 */
export interface HandedChannel {
  readonly actions: ReadonlySet<string>;
  request(action: string, message: object, options?: RequestOptions): Promise<object>;
}

/** The shard that a message is for: the id of its index, and its number among the index's shards. */
export interface ShardKey {
  readonly indexUuid: string;
  readonly shard: number;
}

/** A message of `proto/` with its answer: how both become bytes for another thread or node. */
export interface MessagePair<Request extends object, Answer extends object> {
  /** Its name on links and ports. */
  readonly action: string;
  encodeRequest(request: Request): Uint8Array;
  decodeAnswer(bytes: Uint8Array): Answer;
  /** The one shard that a request is for; undefined when it is not for one. */
  shardOf(request: Request): ShardKey | undefined;
}

/** Sends a message by the shortest way that the channel has. Rejects as `Channel.request` does. */
export async function sendMessage<Request extends object, Answer extends object>(
  channel: Channel,
  pair: MessagePair<Request, Answer>,
  request: Request,
  options?: RequestOptions,
): Promise<Answer> {
  if (channel.hand?.actions.has(pair.action))
    return channel.hand.request(pair.action, request, options) as Promise<Answer>;
  return pair.decodeAnswer(await channel.request(pair.action, pair.encodeRequest(request), options));
}

/** Where a request comes from, as far as its handler may want to know. */
export interface RequestOrigin {
  /** Task that it is part of, `node:id`; null: none. */
  readonly parentTask: string | null;
}

/** The answering side of a `HandedChannel`. */
export interface HandedHandler {
  readonly actions: ReadonlySet<string>;
  handle(action: string, message: object, signal: AbortSignal, origin?: RequestOrigin): Promise<object>;
}

/** The answering side of a channel. `signal` aborts when the caller gave up. */
export interface ChannelHandler {
  (action: string, payload: Uint8Array, signal: AbortSignal, origin?: RequestOrigin): Promise<Uint8Array>;
  /** The same for messages that are not encoded (`Channel.hand`); left out: there are none. */
  readonly hand?: HandedHandler | undefined;
}

/** A handler that also takes messages as they are, if `hand` is one. */
export function withHand(handle: ChannelHandler, hand: HandedHandler | undefined): ChannelHandler {
  const own: ChannelHandler = (action, payload, signal, origin) => handle(action, payload, signal, origin);
  return hand === undefined ? handle : Object.assign(own, { hand });
}
