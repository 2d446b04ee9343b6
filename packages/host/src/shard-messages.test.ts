import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type Answerer, answerers, localAnswers, shard } from '@shoal/protocol';
import { createSearchSources, type SearcherLease, sourceOf } from '@shoal/shard';
import { createReaderContexts } from './reader-contexts.js';
import { RequestBreaker } from './request-breaker.js';
import { type MessageContext, shardHandlers } from './shard-messages.js';

/** Encoded options: `given`, and nothing of all others. */
const optionsBytes = (given: Partial<shard.SearchOptions>): Uint8Array =>
  shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), ...given });

const NO_MASTER: MessageContext['updateMapping'] = () => Promise.reject(new Error('not asked'));

/** Creates a shard without documents; `releases` counts how often its reader was released. */
function emptyShard(): { readonly lease: SearcherLease; readonly counted: string[]; releases: number } {
  const counted: string[] = [];
  const cache: SearcherLease['searcher']['cache'] = { get: (_key, make) => make().value, find: () => undefined };
  const lease: SearcherLease = {
    searcher: {
      segments: [],
      mapping: { runtime: new Map() },
      cache,
      settings: { maxResultWindow: 10_000 },
      maxDoc: 0,
      liveDocCount: 0,
      stored: () => assert.fail('nothing is fetched'),
    } as unknown as SearcherLease['searcher'],
    requestCache: {} as SearcherLease['requestCache'],
    countSearch: (phase: string) => void counted.push(phase),
    fieldUsage: { count: () => undefined } as unknown as SearcherLease['fieldUsage'],
    release: () => void shown.releases++,
  };
  const shown = { lease, counted, releases: 0 };
  return shown;
}

const messagesOf = (context: MessageContext): ReadonlyMap<string, Answerer> =>
  answerers(shard.methods, shardHandlers(context));

test('a fetch on an open context is answered and counted though its index was deleted meanwhile', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('t', clock);
  const shown = emptyShard();
  const id = contexts.open(shown.lease, { indexUuid: 'uuid', shard: 0 }, 0);
  const gone = {
    mountedOf: () => null,
    get: () => Promise.reject(errors.noShardAvailable(null)),
  } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards: gone,
    contexts,
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const request = {
    target: { shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'i', context: id, filter: undefined },
    nowMs: 0,
    docs: new Uint8Array(0),
    scores: new Uint8Array(0),
    sortValues: new Uint8Array(0),
    body: Buffer.from('{}'),
    options: optionsBytes({}),
    freeContext: true,
  } as unknown as shard.FetchRequest;
  const answer = await messagesOf(context).get('shard/fetch')!(
    shard.encodeFetchRequest(request),
    new AbortController().signal,
  );
  assert.deepEqual(shard.decodeFetchResponse(answer).hits, []);
  assert.deepEqual(shown.counted, ['fetch']);
  assert.equal(contexts.count, 0);
  assert.equal(shown.releases, 1);
});

test('a phase is counted with the hits that its shard found, a fetch with those of its query', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('t', clock);
  const { lease } = emptyShard();
  const counted: unknown[] = [];
  const countSearch: SearcherLease['countSearch'] = (phase, _elapsedMs, _groups, asked) =>
    void counted.push([phase, asked?.total]);
  const found = {
    openDeferred: () => undefined,
    mountedOf: () => null,
    get: async () => ({ acquire: () => ({ ...lease, countSearch }) }),
  } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards: found,
    contexts,
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const { signal } = new AbortController();
  const target = { shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'i', boost: 1 } as shard.ShardTarget;
  for (const trackTotalHits of [true, false]) {
    const query = {
      targets: [target],
      body: Buffer.from(`{"size":0,"track_total_hits":${trackTotalHits}}`),
      options: optionsBytes({ from: 0, size: 0, shardSize: 0 }),
      nowMs: 0,
    } as unknown as shard.QueryRequest;
    await messagesOf(context).get('shard/query')!(shard.encodeQueryRequest(query), signal);
  }
  const fetch = {
    ...shard.decodeFetchRequest(new Uint8Array(0)),
    target,
    body: Buffer.from('{}'),
    options: optionsBytes({}),
  };
  for (const total of [{}, { total: 12, totalIsLowerBound: true }])
    await messagesOf(context).get('shard/fetch')!(shard.encodeFetchRequest({ ...fetch, ...total }), signal);
  const none = { value: 0, isLowerBound: false };
  assert.deepEqual(counted, [
    ['query', none],
    ['query', { value: 0, isLowerBound: true }],
    ['fetch', null],
    ['fetch', { value: 12, isLowerBound: true }],
  ]);
});

test('a search whose caller went away before it was answered keeps no reader', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('t', clock);
  const shown = emptyShard();
  const abort = new AbortController();
  const found = {
    openDeferred: () => undefined,
    mountedOf: () => null,
    get: async () => ({ acquire: () => ({ ...shown.lease, countSearch: () => abort.abort() }) }),
  } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards: found,
    contexts,
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const request = {
    targets: [{ shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'i', owner: 'anna' }],
    body: Buffer.from('{}'),
    options: optionsBytes({ from: 0, size: 10, shardSize: 10 }),
    nowMs: 0,
    keepContext: true,
  } as unknown as shard.QueryRequest;
  const answer = shard.decodeQueryResponse(
    await messagesOf(context).get('shard/query')!(shard.encodeQueryRequest(request), abort.signal),
  );
  assert.equal(answer.results[0]!.error, undefined);
  assert.equal(contexts.count, 0);
  assert.equal(shown.releases, 1);
});

test('a fetch that fails lets go of the reader that it was to free', async () => {
  const clock = fakeClock();
  const contexts = createReaderContexts('t', clock);
  const shown = emptyShard();
  const id = contexts.open(shown.lease, { indexUuid: 'uuid', shard: 0 }, 0);
  const context: MessageContext = {
    shards: { mountedOf: () => null } as unknown as MessageContext['shards'],
    contexts,
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const request = {
    target: { shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'i', context: id },
    nowMs: 0,
    docs: new Uint8Array(0),
    scores: new Uint8Array(0),
    sortValues: new Uint8Array(0),
    body: Buffer.from('{"_source":7}'),
    options: optionsBytes({}),
    freeContext: true,
  } as unknown as shard.FetchRequest;
  await assert.rejects(
    messagesOf(context).get('shard/fetch')!(shard.encodeFetchRequest(request), new AbortController().signal),
  );
  assert.equal(contexts.count, 0);
  assert.equal(shown.releases, 1);
});

test('a batch is answered alike whether it comes as it is or as bytes', async () => {
  const clock = fakeClock();
  const seen: shard.BulkShardRequest[] = [];
  const bulk = async (request: shard.BulkShardRequest): Promise<shard.BulkShardResponse> => {
    seen.push(request);
    return {
      items: [
        {
          ...{ outcome: 0, version: 1, seqNo: 7, primaryTerm: 1, error: undefined, errorJson: undefined },
          ...{ get: undefined, prepared: undefined, preparedRouting: undefined },
        },
      ],
      forcedRefresh: true,
      copiesTotal: 2,
      copiesSuccessful: 1,
    };
  };
  const shards = { copyToWrite: async () => ({ bulk }) } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards,
    contexts: createReaderContexts('t', clock),
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const request = {
    ...shard.decodeBulkShardRequest(new Uint8Array(0)),
    shard: { indexUuid: 'uuid', shard: 0 },
    indexName: 'i',
    sources: Buffer.from('{"a":1}'),
    items: [
      shard.decodeWriteItem(
        shard.encodeWriteItem({
          op: 0,
          id: '1',
          sourceStart: 0,
          sourceEnd: 7,
          versionType: 0,
          autoId: false,
          retryOnConflict: 0,
        }),
      ),
    ],
  };
  const { signal } = new AbortController();
  const asBytes = shard.decodeBulkShardResponse(
    await messagesOf(context).get('shard/bulk')!(shard.encodeBulkShardRequest(request), signal),
  );
  const asItIs = await localAnswers(shard.methods, shardHandlers(context)).handle('shard/bulk', request, signal);
  // As bytes a message has all its fields, those without a value too.
  const read = shard.decodeBulkShardResponse(shard.encodeBulkShardResponse(asItIs as shard.BulkShardResponse));
  assert.deepEqual(read, asBytes);
  assert.deepEqual(Buffer.from(seen[0]!.sources), seen[1]!.sources);
  assert.deepEqual(seen[0]!.items, seen[1]!.items);
});

test('a query is answered alike whether it comes as it is or as bytes', async () => {
  const clock = fakeClock();
  const shown = emptyShard();
  const found = {
    openDeferred: () => undefined,
    mountedOf: () => null,
    get: async () => ({ acquire: () => shown.lease }),
  } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards: found,
    contexts: createReaderContexts('t', clock),
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const target = {
    ...shard.decodeShardTarget(new Uint8Array(0)),
    shard: { indexUuid: 'uuid', shard: 0 },
    indexName: 'i',
    boost: 1,
  };
  const request = {
    ...shard.decodeQueryRequest(new Uint8Array(0)),
    targets: [target, { ...target, context: 'gone' }],
    body: Buffer.from('{}'),
    options: optionsBytes({ from: 0, size: 10, shardSize: 10 }),
  };
  const { signal } = new AbortController();
  const asBytes = await messagesOf(context).get('shard/query')!(shard.encodeQueryRequest(request), signal);
  const handed = (await localAnswers(shard.methods, shardHandlers(context)).handle(
    'shard/query',
    request,
    signal,
  )) as shard.QueryResponse;
  assert.deepEqual(Buffer.from(shard.encodeQueryResponse(handed)), Buffer.from(asBytes));
  assert.equal(handed.results.length, 2);
});

test('a search that a message brings parsed is not parsed again, by the query phase and the fetch phase', async () => {
  const clock = fakeClock();
  const { lease } = emptyShard();
  const counted: unknown[] = [];
  const countSearch: SearcherLease['countSearch'] = (phase, _elapsedMs, groups) => void counted.push([phase, groups]);
  const shards = {
    openDeferred: () => undefined,
    mountedOf: () => null,
    get: async () => ({ acquire: () => ({ ...lease, countSearch }) }),
  } as unknown as MessageContext['shards'];
  const context: MessageContext = {
    shards,
    contexts: createReaderContexts('t', clock),
    clock,
    dataPath: '/data',
    load: { searches: 0 },
    breaker: new RequestBreaker(1 << 20),
    sources: createSearchSources(),
    updateMapping: NO_MASTER,
  };
  const options = optionsBytes({ from: 0, size: 10, shardSize: 10 });
  const { search } = sourceOf({ body: Buffer.from('{"stats":["g"]}'), options }, null);
  const parsed = { search, options, body: Buffer.from('no JSON: nobody reads it') };
  const target = { ...shard.decodeShardTarget(new Uint8Array(0)), shard: { indexUuid: 'uuid', shard: 0 }, boost: 1 };
  const { handle } = localAnswers(shard.methods, shardHandlers(context));
  const { signal } = new AbortController();
  const query = { ...shard.decodeQueryRequest(new Uint8Array(0)), ...parsed, targets: [target] };
  const { results } = (await handle('shard/query', query, signal)) as shard.QueryResponse;
  assert.equal(results[0]?.error, undefined);
  await handle('shard/fetch', { ...shard.decodeFetchRequest(new Uint8Array(0)), ...parsed, target }, signal);
  assert.deepEqual(counted, [
    ['query', ['g']],
    ['fetch', ['g']],
  ]);
});

test('statistics of a shard name the folder of its data, also of one at rest', async () => {
  const clock = fakeClock();
  const shown = { docs: { count: 3 } };
  const request = shard.encodeShardCall({
    shard: { indexUuid: 'u', shard: 0 },
    indexName: 'i',
    action: 'stats',
    body: Buffer.from('{}'),
  });
  for (const isAtRest of [false, true]) {
    const shards = {
      atRest: () => (isAtRest ? { stats: shown } : null),
      searchIdle: () => ({ isIdle: true, ms: 7 }),
      mountedOf: () => null,
      get: async () => ({ call: async () => shown }),
    } as unknown as MessageContext['shards'];
    const context: MessageContext = {
      shards,
      contexts: createReaderContexts('t', clock),
      clock,
      dataPath: '/data',
      load: { searches: 0 },
      breaker: new RequestBreaker(1 << 20),
      sources: createSearchSources(),
      updateMapping: NO_MASTER,
    };
    const answer = shard.decodeShardCallResponse(
      await messagesOf(context).get('shard/call')!(request, new AbortController().signal),
    );
    assert.deepEqual(JSON.parse(Buffer.from(answer.body).toString()), {
      ...shown,
      ...(isAtRest ? { search_access: { search_idle: true, search_idle_time: 7 } } : {}),
      shard_path: { state_path: '/data', data_path: '/data', is_custom_data_path: false },
    });
  }
});
