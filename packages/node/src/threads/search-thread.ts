// Thread that searches sealed segments of shards that another thread holds. It reads stores and changes nothing.
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { sharedMappings } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { createProgress, RequestBreaker } from '@shoal/host';
import { decodeJson } from '@shoal/json';
import { answerers, threads } from '@shoal/protocol';
import { createCacheBudgets, ViewRoom } from '@shoal/shard';
import type { IndexMetadata } from '@shoal/state';
import { createBlockCache, levelStores } from '@shoal/store';
import { createLink } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { requestMeter } from './request-meters.js';
import type { SearchThreadData } from './search-thread-data.js';
import { workerPort } from './worker-port.js';

const data = workerData as SearchThreadData;
const breaker = new RequestBreaker(data.requestBytesMax, requestMeter(data.requestMeters, data.meter), {
  meters: new Float64Array(data.requestMeters),
  ownLimit: data.ownRequestBytesMax,
});
const room = new ViewRoom({
  stores: levelStores(),
  cache: createBlockCache(data.blockCacheBytes),
  budgets: createCacheBudgets(Math.floor(data.blockCacheBytes / 3), data.blockCacheBytes),
  parseIndex(json) {
    const metadata = decodeJson(json) as IndexMetadata;
    const { mapping, options } = sharedMappings.parse(metadata.mapping, metadata.settings);
    return { metadata, mapping, mappingOptions: options };
  },
});

/** The system's number of this thread; empty without `/proc`. */
function systemThreadId(): string {
  try {
    return fs.readlinkSync('/proc/thread-self').split('/').pop()!;
  } catch {
    return '';
  }
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

const METHODS = {
  search: threads.methods.search,
  identify: threads.methods.identify,
  forgetStore: threads.methods.forgetStore,
  clearStore: threads.methods.clearStore,
};

const own = answerers<Pick<threads.ThreadsHandlers, keyof typeof METHODS>>(METHODS, {
  async search({ body }, signal) {
    const account = breaker.open('<query_phase>');
    try {
      return { body: await room.search(body, createProgress(systemClock, signal, account)) };
    } finally {
      account.release();
    }
  },
  identify: () => ({ body: Buffer.from(systemThreadId()) }),
  async forgetStore({ body }) {
    await room.forget(textOf(body));
    return {};
  },
  async clearStore({ body }) {
    await room.clear(textOf(body));
    return {};
  },
});

createLink(workerPort(parentPort!), async (action, payload, signal) => {
  const answer = own.get(action);
  if (!answer) throw errors.illegalArgument(`unknown action [${action}]`);
  return answer(payload, signal);
});
