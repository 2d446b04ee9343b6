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
 * Signal of requests that cannot be cancelled; shared, and never aborted. It stores no listeners: with several shard
 * threads each running request would add one, and Node reports more than ten as a leak.
 */
class NeverAborted extends LazySignal {
  override addEventListener(): void {}
}
const NEVER = new NeverAborted();

/** Creates a channel to a handler on the same thread, for messages of a node to itself. */
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

/** Origin of a request for its handler; undefined if unknown. */
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
