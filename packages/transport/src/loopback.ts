import {
  type Channel,
  type ChannelHandler,
  LazySignal,
  type LocalChannel,
  type LocalHandler,
  type RequestOptions,
  type RequestOrigin,
} from '@shoal/doors';
import { errors } from '@shoal/errors';

/**
 * The signal of requests that cannot be cancelled, shared by all of them and never aborted. Nothing is kept of who
 * listens: with several threads of shards each request under way would be a listener, and Node warns of more than ten
 * as of a leak.
 */
class NeverAborted extends LazySignal {
  override addEventListener(): void {}
}
const NEVER = new NeverAborted();

/** A channel to a handler in the same thread: what a node sends to itself. */
export function loopbackChannel(handler: ChannelHandler): Channel {
  const { local } = handler;
  const channel: Channel = {
    request(action, payload, options) {
      const signal = options?.signal ?? NEVER;
      if (signal.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
      return handler(action, payload, signal, originOf(options));
    },
  };
  return local === undefined ? channel : { ...channel, local: localChannel(local) };
}

/** What a handler learns of where a request comes from; undefined: nothing. */
function originOf(options: RequestOptions | undefined): RequestOrigin | undefined {
  if (options === undefined || (options.parentTask === undefined && options.shard === undefined)) return undefined;
  return { parentTask: options.parentTask ?? null, shard: options.shard };
}

function localChannel(local: LocalHandler): LocalChannel {
  return {
    actions: local.actions,
    request(action, message, options) {
      const signal = options?.signal ?? NEVER;
      if (signal.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
      return local.handle(action, message, signal, originOf(options));
    },
  };
}
