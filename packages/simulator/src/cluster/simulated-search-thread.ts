import { type Clock, type KeyValueStores, type Random, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ViewThread } from '@shoal/host';
import { openSearchRoom } from '@shoal/node';
import { threads } from '@shoal/protocol';
import { createLink } from '@shoal/transport';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';
import { simulatedPorts } from './simulated-ports.js';

const MEGABYTE = 1 << 20;

/** Every search that may go to another thread goes, however small. */
export const EVERY_SEARCH = { longMs: 0, mediumMs: 0, docsMin: 0 };

/** Creates a search thread of a simulated node: messages are copied and arrive later, as between real threads. */
export function simulatedSearchThread(
  loop: EventLoop,
  gate: ProcessGate,
  random: Random,
  doors: { readonly stores: KeyValueStores; readonly clock: Clock },
): ViewThread {
  const ports = simulatedPorts(loop, gate, gate, random);
  const budgets = { blockCacheBytes: MEGABYTE, requestBytesMax: 64 * MEGABYTE, ownRequestBytesMax: 16 * MEGABYTE };
  const data = { ...budgets, thread: 0, heapMb: 64, requestMeters: new SharedArrayBuffer(16), meter: 0 };
  createLink(ports.shards, openSearchRoom(data, doors));
  const link = createLink(ports.main, () => Promise.reject(errors.illegalState('a search thread asks nothing')));
  return {
    life: 1,
    isReady: () => true,
    search: async (body, signal) => (await sendMessage(link, threads.methods.search, { body }, { signal })).body,
    async forget(location) {
      await sendMessage(link, threads.methods.forgetStore, { body: Buffer.from(location) });
    },
    clear(location) {
      void sendMessage(link, threads.methods.clearStore, { body: Buffer.from(location) }).catch(() => undefined);
    },
  };
}
