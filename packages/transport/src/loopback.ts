import type { Channel, ChannelHandler, HandedChannel, HandedHandler } from '@shoal/doors';
import { errors } from '@shoal/errors';

/** Withdrawn requests of a signal that is there anyway: nothing aborts it. */
const NEVER = new AbortController().signal;

/** A channel to a handler in the same thread: what a node sends to itself. */
export function loopbackChannel(handler: ChannelHandler): Channel {
  const { hand } = handler;
  const channel: Channel = {
    request(action, payload, options) {
      const signal = options?.signal ?? NEVER;
      if (signal.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
      return options?.parentTask === undefined
        ? handler(action, payload, signal)
        : handler(action, payload, signal, { parentTask: options.parentTask });
    },
  };
  return hand === undefined ? channel : { ...channel, hand: handOver(hand) };
}

function handOver(hand: HandedHandler): HandedChannel {
  return {
    actions: hand.actions,
    request(action, message, options) {
      const signal = options?.signal ?? NEVER;
      if (signal.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
      return options?.parentTask === undefined
        ? hand.handle(action, message, signal)
        : hand.handle(action, message, signal, { parentTask: options.parentTask });
    },
  };
}
