import assert from 'node:assert/strict';
import test from 'node:test';
import { OPEN_ONLY } from '@shoal/state';
import { type Value, encodeValue } from '@shoal/codec';
import { errors, toErrorBody } from '@shoal/errors';
import { errorMessage, shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import type { SearchRequest } from './parse/search-request.js';

function request(body: unknown, change: Partial<SearchRequest> = {}): SearchRequest {
  return {
    target: { names: ['h'], options: OPEN_ONLY },
    namedIndicesOptions: false,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    overrides: {},
    searchType: 'query_then_fetch',
    routing: null,
    preference: null,
    typedKeys: false,
    totalHitsAsInt: false,
    scrollMs: null,
    allowPartialResults: null,
    requestCache: null,
    maxConcurrentShardRequests: 5,
    includeNamedQueriesScore: false,
    ...change,
  };
}

/** Documents of one fake shard: score or sort values, best first. */
interface FakeHits {
  readonly docs: readonly number[];
  readonly scores?: readonly number[];
  readonly sort?: readonly Value[][];
  readonly total?: number;
}

const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));

function queryResult(target: number, hits: FakeHits): messages.ShardQueryResult {
  return {
    ...EMPTY,
    target,
    total: hits.total ?? hits.docs.length,
    maxScore: hits.scores?.[0],
    docs: new Uint8Array(Int32Array.from(hits.docs).buffer),
    scores: hits.scores ? new Uint8Array(Float32Array.from(hits.scores).buffer) : new Uint8Array(0),
    sortValues: hits.sort ? encodeValue(hits.sort) : new Uint8Array(0),
    context: `c${target}`,
  };
}

function fetched(fetch: messages.FetchRequest): messages.FetchResponse {
  const docs = new Int32Array(new Uint8Array(fetch.docs).buffer);
  return { hits: [...docs].map((doc) => Buffer.from(`{"_id":"${fetch.target!.shard!.shard}-${doc}"}`)) };
}

/** A result with its hits, if the query asks for them at once. */
function rendered(
  query: messages.QueryRequest,
  result: messages.ShardQueryResult,
  target: messages.ShardTarget,
): messages.ShardQueryResult {
  return query.fetch
    ? { ...result, hits: fetched({ target, docs: result.docs } as messages.FetchRequest).hits }
    : result;
}

const THREE = stateWith([{ name: 'h', shards: [['n1'], ['n2'], ['n2']] }]);
const idsOf = (answer: unknown): string[] =>
  (answer as { hits: { hits: { _id: string }[] } }).hits.hits.map((hit) => hit._id);

function threeShards(hits: readonly FakeHits[]): Parameters<typeof fakeCoordinator>[1] {
  return {
    query: (query) => ({
      results: query.targets.map((target, i) => rendered(query, queryResult(i, hits[target.shard!.shard]!), target)),
    }),
    fetch: fetched,
  };
}

test('hits of many shards are merged by score, then shard', async () => {
  const shards = threeShards([
    { docs: [1, 2], scores: [3, 1] },
    { docs: [7], scores: [2] },
    { docs: [4, 5], scores: [3, 2.5] },
  ]);
  const answer = jsonOf(await fakeCoordinator(THREE, shards).search(request({ size: 4 }), CALL));
  assert.deepEqual(idsOf(answer), ['0-1', '2-4', '2-5', '1-7']);
  assert.deepEqual((answer as { hits: { total: unknown; max_score: number } }).hits.total, {
    value: 5,
    relation: 'eq',
  });
});

test('hits are merged by sort values in their directions, missing last', async () => {
  const shards = threeShards([
    { docs: [1, 2], sort: [['b'], [null]] },
    { docs: [3], sort: [['c']] },
    { docs: [4], sort: [['a']] },
  ]);
  const ascending = jsonOf(await fakeCoordinator(THREE, shards).search(request({ sort: ['k'] }), CALL));
  assert.deepEqual(idsOf(ascending), ['2-4', '0-1', '1-3', '0-2']);
});

test('shards are told how many are searched, and how, when they are asked and when they fetch', async () => {
  const told: [number | undefined, string][] = [];
  const typeOf = ({ options }: { options: Uint8Array }): string => messages.decodeSearchOptions(options).searchType;
  const note = (message: messages.QueryRequest | messages.FetchRequest): unknown =>
    told.push([message.totalShards, typeOf(message)]);
  const one = stateWith([{ name: 'h', shards: [['n1']] }]);
  for (const [state, searchType] of [
    [THREE, 'query_then_fetch'],
    [one, 'dfs_query_then_fetch'],
  ] as const) {
    const shards = threeShards([
      { docs: [1], scores: [3] },
      { docs: [2], scores: [2] },
      { docs: [3], scores: [1] },
    ]);
    const coordinator = fakeCoordinator(state, {
      query: (query, nodeId) => (note(query), shards.query!(query, nodeId)),
      fetch: (fetch, nodeId) => (note(fetch), shards.fetch!(fetch, nodeId)),
    });
    await coordinator.search(request({ size: 200 }, { searchType }), CALL);
  }
  assert.deepEqual(told, [...new Array(5).fill([3, 'query_then_fetch']), [1, 'query_then_fetch']]);
});

test('a page begins at from', async () => {
  const shards = threeShards([
    { docs: [1, 2], scores: [6, 5] },
    { docs: [3], scores: [4] },
    { docs: [4], scores: [3] },
  ]);
  assert.deepEqual(idsOf(jsonOf(await fakeCoordinator(THREE, shards).search(request({ from: 2, size: 1 }), CALL))), [
    '1-3',
  ]);
});

test('a single shard is asked once and its hits are passed on as bytes', async () => {
  let asked = 0;
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    query: (query) => {
      asked++;
      assert.equal(query.fetch, true);
      return {
        results: [
          {
            ...queryResult(0, { docs: [1], scores: [0.2373417], total: 3 }),
            hits: [Buffer.from('{"_id":"1","_source":{"x": 1.0}}')],
          },
        ],
      };
    },
  });
  const answer = await coordinator.search(request({}), CALL);
  assert.equal(asked, 1);
  assert.equal(
    Buffer.concat(answer.chunks).toString('utf8'),
    '{"took":0,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},' +
      '"hits":{"total":{"value":3,"relation":"eq"},"max_score":0.2373417,' +
      '"hits":[{"_id":"1","_source":{"x": 1.0}}]}}',
  );
});

test('no index at all is an empty answer with a score of zero', async () => {
  const answer = await fakeCoordinator(stateWith([]), {}).search(
    request({}, { target: { names: ['x*'], options: OPEN_ONLY } }),
    CALL,
  );
  assert.deepEqual(jsonOf(answer), {
    took: 0,
    timed_out: false,
    _shards: { total: 0, successful: 0, skipped: 0, failed: 0 },
    hits: { total: { value: 0, relation: 'eq' }, max_score: 0, hits: [] },
  });
});

test('what a search has waited for its turn is part of what it took', async () => {
  const answer = await fakeCoordinator(stateWith([]), {}).search(
    request({}, { target: { names: ['x*'], options: OPEN_ONLY } }),
    { ...CALL, waitedMs: 30.4 },
  );
  assert.equal((jsonOf(answer) as { took: number }).took, 30);
});

const broken = errors.queryShard('failed to create query', {
  meta: { index_uuid: 'u', index: 'h' },
  cause: errors.numberFormat('For input string: "x"'),
});

test('shards that fail are listed beside the hits of the others', async () => {
  const coordinator = fakeCoordinator(THREE, {
    query: (query) => ({
      results: query.targets.map((target, i) =>
        target.shard!.shard === 1
          ? { ...queryResult(i, { docs: [] }), error: errorMessage(broken) }
          : queryResult(i, { docs: [1], scores: [1] }),
      ),
    }),
    fetch: fetched,
  });
  const answer = jsonOf(await coordinator.search(request({ size: 200 }), CALL)) as {
    _shards: { failed: number; failures: unknown[] };
  };
  assert.equal(answer._shards.failed, 1);
  assert.deepEqual(answer._shards.failures, [
    {
      shard: 1,
      index: 'h',
      node: 'n2',
      reason: {
        type: 'query_shard_exception',
        reason: 'failed to create query',
        index_uuid: 'u',
        index: 'h',
        caused_by: { type: 'number_format_exception', reason: 'For input string: "x"' },
      },
    },
  ]);
  const refused = await failure(() => coordinator.search(request({}, { allowPartialResults: false }), CALL));
  assert.deepEqual(refused, {
    status: 400,
    type: 'search_phase_execution_exception',
    reason: 'Partial shards failure',
  });
});

test('a window of ranks beyond the largest page of an index is refused before any shard is asked', async () => {
  const coordinator = fakeCoordinator(THREE, { query: () => assert.fail('a shard was asked') });
  const query = { match_all: {} };
  const rank = (window_size: number) =>
    coordinator.search(request({ sub_searches: [{ query }, { query }], rank: { rrf: { window_size } } }), CALL);
  await assert.rejects(rank(10_001), (error) => {
    const { status, error: body } = toErrorBody(error as ReturnType<typeof errors.search>);
    assert.equal(status, 400);
    const [cause] = (body as { root_cause: readonly { type: string; reason: string }[] }).root_cause;
    assert.equal(cause?.type, 'illegal_argument_exception');
    assert.match(cause.reason, /^Result window is too large, .* equal to: \[10000\] but was \[10001\]\./);
    return true;
  });
});

test('when all shards fail the error names each cause once, a Java exception twice', async () => {
  const fail = (error: Error) =>
    fakeCoordinator(THREE, {
      query: (query) => ({
        results: query.targets.map((_, i) => ({
          ...queryResult(i, { docs: [] }),
          error: errorMessage(error),
        })),
      }),
    });
  const bodyOf = async (error: Error): Promise<Record<string, Record<string, unknown>>> => {
    try {
      await fail(error).search(request({}), CALL);
    } catch (thrown) {
      return toErrorBody(thrown) as Record<string, Record<string, unknown>>;
    }
    throw new Error('no error');
  };
  const plain = errors.illegalArgument('too large');
  const body = await bodyOf(plain);
  const cause = { type: 'illegal_argument_exception', reason: 'too large' };
  assert.deepEqual(body['error'], {
    root_cause: [cause],
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    phase: 'query',
    grouped: true,
    failed_shards: [{ shard: 0, index: 'h', node: 'n1', reason: cause }],
    caused_by: { ...cause, caused_by: cause },
  });
  assert.equal('caused_by' in (await bodyOf(broken))['error']!, false);
});

test('the other nodes are asked before this one begins with its own part', async () => {
  const asked: string[] = [];
  const query = (asking: messages.QueryRequest, nodeId: string): messages.QueryResponse => {
    asked.push(nodeId);
    return { results: asking.targets.map((_, i) => queryResult(i, { docs: [] })) };
  };
  await fakeCoordinator(THREE, { query }).search(request({}), CALL);
  assert.deepEqual(asked, ['n2', 'n1']);
});

test('another copy is asked when a node is gone', async () => {
  const asked: string[] = [];
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1', 'n2']] }]), {
    query: (_, nodeId) => {
      asked.push(nodeId);
      if (nodeId === 'n1') throw errors.noShardAvailable(null);
      return { results: [queryResult(0, { docs: [] })] };
    },
  });
  await coordinator.search(request({}), CALL);
  assert.deepEqual(asked, ['n1', 'n2']);
});

test('what is wrong with a body is found before any shard is asked', async () => {
  const coordinator = fakeCoordinator(THREE, {});
  const reason = async (body: unknown, change: Partial<SearchRequest> = {}): Promise<string | null> =>
    (await failure(() => coordinator.search(request(body, change), CALL))).reason;
  assert.equal(await reason({ foo: 1 }), 'Unknown key for a VALUE_NUMBER in [foo].');
  assert.equal(await reason({ query: [] }), 'Unknown key for a START_ARRAY in [query].');
  assert.equal(await reason({ query: null }), 'Unknown key for a VALUE_NULL in [query].');
  assert.equal(await reason({ size: -1 }), '[size] parameter cannot be negative, found [-1]');
  assert.equal(await reason({ from: -1 }), '[from] parameter cannot be negative but was [-1]');
  assert.equal(await reason({ size: 'a' }), 'For input string: "a"');
  assert.equal(
    await reason({ timeout: 5 }),
    'failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized',
  );
  assert.equal(
    await reason({ track_total_hits: 5 }, { totalHitsAsInt: true }),
    '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got 5',
  );
  assert.equal(
    await reason({ from: 1 }, { scrollMs: 1000 }),
    'Validation Failed: 1: using [from] is not allowed in a scroll context;',
  );
  assert.equal(await reason('[]'), 'Expected [START_OBJECT] but found [START_ARRAY]');
});

test('a scroll of several shards goes on where each stopped, also after a page without a time', async () => {
  const seen: (readonly [number, boolean])[] = [];
  const freed: string[] = [];
  const coordinator = fakeCoordinator(THREE, {
    query: (query) => {
      const { after } = messages.decodeSearchOptions(query.options);
      if (after.length > 0)
        seen.push(...query.targets.map(({ shard }, i) => [shard!.shard, after[i]!.length === 0] as const));
      return {
        results: query.targets.map((target, i) =>
          queryResult(i, { docs: [target.shard!.shard], scores: [3 - target.shard!.shard] }),
        ),
      };
    },
    fetch: fetched,
    free: (contexts) => {
      freed.push(...contexts);
      return contexts.length;
    },
  });
  const first = jsonOf(await coordinator.search(request({ size: 2 }, { scrollMs: 60_000 }), CALL)) as {
    _scroll_id: string;
  };
  assert.deepEqual(idsOf(first), ['0-0', '1-1']);
  const second = jsonOf(
    await coordinator.scroll({ scrollId: first._scroll_id, keepAliveMs: 60_000, totalHitsAsInt: false }, CALL),
  );
  assert.equal((second as { _scroll_id: string })._scroll_id, first._scroll_id);
  assert.deepEqual(
    seen.toSorted(([a], [b]) => a - b),
    [
      [0, false],
      [1, false],
      [2, true],
    ],
  );
  const unkept = await coordinator.scroll(
    { scrollId: first._scroll_id, keepAliveMs: null, totalHitsAsInt: false },
    CALL,
  );
  assert.equal('_scroll_id' in (jsonOf(unkept) as object), false, 'without a time to keep it the id is not repeated');
  assert.equal(freed.length, 0);
  assert.equal((await coordinator.clearScroll([first._scroll_id], CALL)).status, 200);
  assert.equal(freed.length, 3);
  const gone = await failure(() =>
    coordinator.scroll({ scrollId: first._scroll_id, keepAliveMs: null, totalHitsAsInt: false }, CALL),
  );
  assert.deepEqual([gone.status, gone.type], [404, 'search_phase_execution_exception']);
});

test('a scroll that nobody reads is freed after its keep-alive', async () => {
  const freed: string[] = [];
  const coordinator = fakeCoordinator(THREE, {
    ...threeShards([{ docs: [] }, { docs: [] }, { docs: [] }]),
    free: (contexts) => freed.push(...contexts),
  });
  await coordinator.search(request({}, { scrollMs: 1000 }), CALL);
  coordinator.clock.advance(1001);
  assert.deepEqual(freed.sort(), ['c0', 'c0', 'c1'].slice(0, freed.length));
  assert.ok(freed.length > 0);
});

test('ids that are no scroll ids are refused', async () => {
  const refused = await failure(() =>
    fakeCoordinator(THREE, {}).scroll({ scrollId: 'abc', keepAliveMs: null, totalHitsAsInt: false }, CALL),
  );
  assert.deepEqual(refused, { status: 400, type: 'illegal_argument_exception', reason: 'Cannot parse scroll id' });
});

test('a multi-search answers each search, a body that cannot be parsed fails all', async () => {
  const coordinator = fakeCoordinator(THREE, threeShards([{ docs: [] }, { docs: [] }, { docs: [] }]));
  const run = (body: string) =>
    coordinator.multiSearch(
      { hasTemplates: false, body: Buffer.from(body), defaults: request(''), maxConcurrentSearches: 2 },
      CALL,
    );
  const answer = jsonOf(await run('{"index":"h"}\n{"size":0}\n{"index":"nope"}\n{}\n\n{}\n')) as {
    responses: { status: number; error?: { type: string } }[];
  };
  assert.deepEqual(
    answer.responses.map((response) => response.status),
    [200, 404, 200],
  );
  assert.equal(
    (await failure(() => run('{"index":"h"}\n{"foo":1}\n'))).reason,
    'Unknown key for a VALUE_NUMBER in [foo].',
  );
  assert.equal(
    (await failure(() => run('{"foo":"h"}\n{}\n'))).reason,
    'key [foo] is not supported in the metadata section',
  );
  assert.equal((await failure(() => run('{}\n{}'))).reason, 'The msearch request must be terminated by a newline [\n]');
});

test('a count is an exact total', async () => {
  const shards = threeShards([
    { docs: [], total: 2 },
    { docs: [], total: 3 },
    { docs: [], total: 0 },
  ]);
  const answer = await fakeCoordinator(THREE, shards).count(request(''), CALL);
  assert.deepEqual(jsonOf(answer), { count: 5, _shards: { total: 3, successful: 3, skipped: 0, failed: 0 } });
  assert.equal(
    (await failure(() => fakeCoordinator(THREE, shards).count(request({ size: 1 }), CALL))).reason,
    'request does not support [size]',
  );
});

test('terms of another document are looked up before shards are asked', async () => {
  const bodies: unknown[] = [];
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    get: (get) => ({
      items: get.items.map((item) => ({
        found: item.id === 'u',
        version: 1,
        seqNo: 0,
        primaryTerm: 1,
        ignored: [],
        source: Buffer.from('{"l":[{"f":1},{"f":2}]}'),
        routing: undefined,
        fields: undefined,
        error: undefined,
      })),
    }),
    query: (query) => {
      bodies.push(JSON.parse(Buffer.from(query.body).toString()));
      return { results: [queryResult(0, { docs: [] })] };
    },
  });
  const lookup = (id: string) => ({ query: { bool: { filter: { terms: { a: { index: 'h', id, path: 'l.f' } } } } } });
  await coordinator.search(request(lookup('u')), CALL);
  await coordinator.search(request(lookup('nobody')), CALL);
  const escaped = JSON.stringify(lookup('u')).replace('path', 'p\\u0061th');
  await coordinator.search({ ...request({}), body: Buffer.from(escaped) }, CALL);
  assert.deepEqual(
    bodies,
    [[1, 2], [], [1, 2]].map((values) => ({ query: { bool: { filter: { terms: { a: values } } } } })),
  );
  const nested = '{ "query": { "nested": { "path": "p", "query": { "match_all": {} } } } }';
  await coordinator.search({ ...request({}), body: Buffer.from(nested) }, CALL);
  assert.deepEqual(bodies.at(-1), JSON.parse(nested), 'a path alone is no lookup');
  const missing = { query: { terms: { a: { index: 'gone', id: '1', path: 'x' } } } };
  assert.equal((await failure(() => coordinator.search(request(missing), CALL))).type, 'index_not_found_exception');
});

test('equal lookups of a search read their document once, and find so many terms at most', async () => {
  let gets = 0;
  const l = Array.from({ length: 60_000 }, (_, f) => ({ f }));
  const missing = messages.decodeGetResult(new Uint8Array(0));
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    get: ({ items }) => {
      gets += items.length;
      return { items: items.map(() => ({ ...missing, found: true, source: Buffer.from(JSON.stringify({ l })) })) };
    },
    query: () => ({ results: [queryResult(0, { docs: [] })] }),
  });
  const lookup = { terms: { a: { index: 'h', id: 'u', path: 'l.f' } } };
  await coordinator.search(request({ query: { bool: { should: [lookup, lookup] } } }), CALL);
  assert.equal(gets, 1);
  const three = request({ query: { bool: { should: [lookup, lookup, lookup] } } });
  const refused = await failure(() => coordinator.search(three, CALL));
  assert.equal(refused.reason, 'the lookups of the search find more than [131072] terms');
});

test('more documents to be like than are asked for at once are refused', async () => {
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {});
  const like = Array.from({ length: 1001 }, (_, i) => ({ _index: 'h', _id: String(i) }));
  const refused = await failure(() => coordinator.search(request({ query: { more_like_this: { like } } }), CALL));
  assert.equal(refused.reason, '[like] of [more_like_this] has [1001] items, more than [1000]');
});

test('a document to be like that was missing is looked up again by the next search', async () => {
  const likes: unknown[] = [];
  let found = false;
  const missing = messages.decodeGetResult(new Uint8Array(0));
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    get: (get) => ({ items: get.items.map(() => ({ ...missing, found, source: Buffer.from('{"a":"x"}') })) }),
    query: (query) => {
      likes.push(JSON.parse(Buffer.from(query.body).toString()).query.more_like_this.like);
      return { results: [queryResult(0, { docs: [] })] };
    },
  });
  const item = { _index: 'h', _id: '1' };
  const body = { query: { more_like_this: { fields: ['a'], like: [item] } } };
  await coordinator.search(request(body), CALL);
  found = true;
  await coordinator.search(request(body), CALL);
  assert.deepEqual(likes, [[{ ...item, doc: {} }], [{ ...item, doc: { a: 'x' } }]]);
});

test('documents of more_like_this are looked up once for a count', async () => {
  const asked: unknown[] = [];
  const missing = messages.decodeGetResult(new Uint8Array(0));
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    get: (get) => ({
      items: get.items.map(() => ({ ...missing, found: true, source: Buffer.from('{"a":"x"}') })),
    }),
    query: (query) => {
      asked.push(JSON.parse(Buffer.from(query.body).toString()).query.more_like_this.like);
      return { results: [queryResult(0, { docs: [] })] };
    },
  });
  const item = { _index: 'h', _id: '1' };
  const body = { query: { more_like_this: { fields: ['a'], like: [item] } } };
  const answer = await coordinator.count(request(body), CALL);
  assert.equal(answer.status, 200);
  assert.deepEqual(asked, [[{ ...item, doc: { a: 'x' } }]]);
});

test('a count and the searches of an _msearch are parsed once if they need no other documents', async () => {
  const asked: unknown[] = [];
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    local: (_action, message) => {
      asked.push((message as { readonly search: unknown }).search);
      return { results: [queryResult(0, { docs: [] })] };
    },
  });
  const query = { term: { a: 'x' } };
  for (let i = 0; i < 3; i++) await coordinator.count(request({ query }), CALL);
  const lines = Buffer.from(`{"index":"h"}\n${JSON.stringify({ query })}\n`);
  const many = { body: lines, hasTemplates: false, defaults: request({}), maxConcurrentSearches: 1 };
  for (let i = 0; i < 3; i++) await coordinator.multiSearch(many, CALL);
  // The plan that is kept is a copy of the first one.
  assert.deepEqual([asked.length, asked[1] === asked[2], asked[4] === asked[5]], [6, true, true]);
});

test('an untracked total is -1 as integer', async () => {
  const coordinator = fakeCoordinator(THREE, threeShards([{ docs: [] }, { docs: [] }, { docs: [] }]));
  const answer = jsonOf(
    await coordinator.search(request({ track_total_hits: false }, { totalHitsAsInt: true }), CALL),
  ) as { hits: { total: number } };
  assert.equal(answer.hits.total, -1);
});

test(
  'a search that is repeated goes to the same shards with the same body, other parameters or another state make ' +
    'another',
  async () => {
    const seen: string[] = [];
    const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
      query: ({ body, targets }, nodeId) => {
        seen.push(`${nodeId} ${targets.length} ${Buffer.from(body).toString()}`);
        return { results: targets.map((_, i) => ({ ...EMPTY, target: i })), serviceMs: undefined, queue: undefined };
      },
    });
    const ask = (change: Partial<SearchRequest> = {}): Promise<unknown> =>
      coordinator.search(request({ size: 3 }, change), CALL);
    await ask();
    await ask();
    await ask({ overrides: { size: 4 } });
    coordinator.apply(stateWith([{ name: 'h', shards: [['n2'], ['n2']] }]));
    await ask();
    assert.deepEqual(seen, ['n1 1 {"size":3}', 'n1 1 {"size":3}', 'n1 1 {"size":4}', 'n2 2 {"size":3}']);
  },
);

test('a count that is repeated is refused as before once its index is gone', async () => {
  const coordinator = fakeCoordinator(stateWith([{ name: 'h', shards: [['n1']] }]), {
    query: ({ targets }) => ({
      results: targets.map((_, i) => ({ ...EMPTY, target: i, total: 7 })),
      serviceMs: undefined,
      queue: undefined,
    }),
  });
  const ask = async (): Promise<unknown> =>
    (jsonOf(await coordinator.count(request({ query: { match_all: {} } }), CALL)) as { count: number }).count;
  assert.deepEqual([await ask(), await ask()], [7, 7]);
  coordinator.apply(stateWith([]));
  assert.equal((await failure(ask)).type, 'index_not_found_exception');
});
