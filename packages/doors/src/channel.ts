export interface RequestOptions {
  /** The request is cancelled at its handler when this aborts. */
  readonly signal?: AbortSignal;
  /** The wait for another node ends with `receive_timeout_transport_exception` after so long; not heeded within a process. */
  readonly timeoutMs?: number;
  /** Task that the request is part of, `node:id`: its handler shows up below it. */
  readonly parentTask?: string;
}

/** Sends a message of `proto/` to the holder of shards or to the master and waits for the answer's bytes. */
export interface Channel {
  /**
   * `action` names the message pair; `payload` is its encoded request and is owned by the channel from here on.
   * Rejects with the ApiError that the handler threw; when the link is down, with `no_shard_available_action_exception` (threads),
   * `node_not_connected_exception` or, once it is sent, `node_disconnected_exception` (nodes).
   */
  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array>;
}

/** Where a request comes from, as far as its handler may want to know. */
export interface RequestOrigin {
  /** Task that it is part of, `node:id`; null: none. */
  readonly parentTask: string | null;
}

/** The answering side of a channel. `signal` aborts when the caller gave up. */
export type ChannelHandler = (action: string, payload: Uint8Array, signal: AbortSignal, origin?: RequestOrigin) => Promise<Uint8Array>;
