import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { shard } from '@shoal/protocol';
import { createSearchSources, type SearcherLease } from '@shoal/shard';
import { createReaderContexts } from './reader-contexts.js';
import { RequestBreaker } from './request-breaker.js';
import { type MessageContext, shardMessages } from './shard-messages.js';

test('a fetch on an open context is answered and counted though its index was deleted meanwhile', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('t', clock);
  const counted: string[] = [];
  let releases = 0;
  const lease = {
    searcher: { segments: [], mapping: {}, stored: () => assert.fail('nothing is fetched') } as unknown as SearcherLease['searcher'],
    requestCache: {} as SearcherLease['requestCache'],
    countSearch: (phase: string) => void counted.push(phase),
    release: () => void releases++,
  };
  const id = contexts.open(lease, 'uuid', 0);
  const gone = { get: () => Promise.reject(errors.noShardAvailable(null)) } as unknown as MessageContext['shards'];
  const context: MessageContext = { shards: gone, contexts, clock, load: { searches: 0 }, breaker: new RequestBreaker(1 << 20), sources: createSearchSources(), updateMapping: () => Promise.reject(new Error('not asked')) };
  const request = { target: { shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'i', context: id, filter: undefined }, nowMs: 0, docs: new Uint8Array(0), scores: new Uint8Array(0), sortValues: new Uint8Array(0), body: Buffer.from('{}'), options: Buffer.from('{}'), freeContext: true } as unknown as shard.FetchRequest;
  const answer = await shardMessages.get('shard/fetch')!(context, shard.encodeFetchRequest(request), new AbortController().signal);
  assert.deepEqual(shard.decodeFetchResponse(answer).hits, []);
  assert.deepEqual(counted, ['fetch']);
  assert.equal(contexts.count, 0);
  assert.equal(releases, 1);
});
