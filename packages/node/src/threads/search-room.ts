import { sharedMappings } from '@shoal/cluster';
import type { ChannelHandler, Clock, KeyValueStores } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { createProgress, RequestBreaker } from '@shoal/host';
import { decodeJson } from '@shoal/json';
import { answerers, threads } from '@shoal/protocol';
import { createCacheBudgets, ViewRoom } from '@shoal/shard';
import type { IndexMetadata } from '@shoal/state';
import { createBlockCache } from '@shoal/store';
import { requestMeter } from './request-meters.js';
import type { SearchThreadData } from './search-thread-data.js';

/** Effects of a search thread. */
export interface SearchRoomDoors {
  readonly stores: KeyValueStores;
  readonly clock: Clock;
}

const METHODS = {
  search: threads.methods.search,
  ready: threads.methods.ready,
  forgetStore: threads.methods.forgetStore,
  clearStore: threads.methods.clearStore,
};

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

/** Opens what a search thread holds; returns the handler of the messages that it gets. */
export function openSearchRoom(data: SearchThreadData, { stores, clock }: SearchRoomDoors): ChannelHandler {
  const breaker = new RequestBreaker(data.requestBytesMax, requestMeter(data.requestMeters, data.meter), {
    meters: new Float64Array(data.requestMeters),
    ownLimit: data.ownRequestBytesMax,
  });
  const room = new ViewRoom({
    stores,
    cache: createBlockCache(data.blockCacheBytes),
    budgets: createCacheBudgets(Math.floor(data.blockCacheBytes / 3), data.blockCacheBytes),
    parseIndex(json) {
      const metadata = decodeJson(json) as IndexMetadata;
      const { mapping, options } = sharedMappings.parse(metadata.mapping, metadata.settings);
      return { metadata, mapping, mappingOptions: options };
    },
  });
  const own = answerers<Pick<threads.ThreadsHandlers, keyof typeof METHODS>>(METHODS, {
    async search({ body }, signal) {
      const account = breaker.open('<query_phase>');
      try {
        return { body: await room.search(body, createProgress(clock, signal, account)) };
      } finally {
        account.release();
      }
    },
    ready: () => ({}),
    async forgetStore({ body }) {
      await room.forget(textOf(body));
      return {};
    },
    async clearStore({ body }) {
      await room.clear(textOf(body));
      return {};
    },
  });
  return async (action, payload, signal) => {
    const answer = own.get(action);
    if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
    return answer(payload, signal);
  };
}
