import type { ViewThread } from '@shoal/host';
import type { Follow } from './followed-stores.js';

/** The same thread, whose answers are followed: what a search does with one is the search's. */
export const followedThread = (thread: ViewThread, follow: Follow): ViewThread => ({
  get life() {
    return thread.life;
  },
  isReady: () => thread.isReady(),
  search: (message, signal) => follow(thread.search(message, signal)),
  forget: (location) => thread.forget(location),
  clear: (location) => thread.clear(location),
});
