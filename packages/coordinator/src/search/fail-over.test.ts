import assert from 'node:assert/strict';
import test from 'node:test';
import { OPEN_ONLY } from '@shoal/state';
import { errors } from '@shoal/errors';
import { errorMessage, NO_ERROR, shard as messages } from '@shoal/protocol';
import { CALL, failure, fakeCoordinator, type FakeShards, jsonOf, stateWith } from '../fake-cluster.js';
import { decodePointInTime } from './contexts/pit-id.js';
import { encodeScrollId } from './contexts/scroll-id.js';
import type { SearchRequest } from './parse/search-request.js';

const TARGET = { names: ['h'], options: OPEN_ONLY };

/** Large enough a page to be fetched by itself. */
function request(body: unknown = { size: 200 }, change: Partial<SearchRequest> = {}): SearchRequest {
  return {
    target: TARGET,
    namedIndicesOptions: false,
    body: Buffer.from(JSON.stringify(body)),
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

const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));
const GONE = errors.nodeDisconnected('[n2] disconnected');

/** Every shard has one hit, its document 0. */
function result(target: number): messages.ShardQueryResult {
  return {
    ...EMPTY,
    target,
    total: 1,
    maxScore: 1,
    docs: new Uint8Array(4),
    scores: new Uint8Array(Float32Array.of(1).buffer),
    context: `c${target}`,
  };
}

const shardOf = (target: messages.ShardTarget | undefined): number => target!.shard!.shard;

/** Shards that answer, with changes. */
function answering(change: FakeShards = {}): FakeShards {
  return {
    query: ({ targets }) => ({ results: targets.map((_, i) => result(i)) }),
    fetch: ({ target }) => ({ hits: [Buffer.from(`{"_id":"${shardOf(target)}"}`)] }),
    ...change,
  };
}

interface Answer {
  readonly _shards: {
    readonly total: number;
    readonly successful: number;
    readonly failed: number;
    readonly failures?: { readonly shard: number; readonly node: string; readonly reason: { readonly type: string } }[];
  };
  readonly hits: { readonly hits: { readonly _id: string }[] };
}

const COPIES = stateWith([
  {
    name: 'h',
    shards: [
      ['n1', 'n2'],
      ['n2', 'n1'],
    ],
  },
]);
const SINGLE = stateWith([{ name: 'h', shards: [['n1'], ['n2']] }]);

test('a shard whose node is lost is searched on its other copy', async () => {
  const down: FakeShards = {
    query: ({ targets }, nodeId) => {
      if (nodeId === 'n2') throw GONE;
      return { results: targets.map((_, i) => result(i)) };
    },
  };
  const answer = jsonOf(await fakeCoordinator(COPIES, answering(down)).search(request(), CALL)) as Answer;
  assert.deepEqual(answer._shards, { total: 2, successful: 2, skipped: 0, failed: 0 });
  assert.equal(answer.hits.hits.length, 2);
});

test('a search that is repeated knows all copies of its shards, and asks the one that is best then', async () => {
  const [asked, down] = [new Set<string>(), new Set<string>()];
  const shards: FakeShards = {
    query: ({ targets }, nodeId) => {
      if (down.has(nodeId)) throw GONE;
      asked.add(nodeId);
      return { results: targets.map((_, i) => result(i)) };
    },
  };
  const coordinator = fakeCoordinator(COPIES, answering(shards));
  for (let i = 0; i < 50; i++) await coordinator.search(request(), CALL);
  assert.deepEqual([...asked].sort(), ['n1', 'n2']);
  down.add('n1');
  const answer = jsonOf(await coordinator.search(request(), CALL)) as Answer;
  assert.equal(answer._shards.successful, 2);
});

test(
  'a shard that fails alone is searched on its other copy, the ' + 'request is not repeated for what is wrong with it',
  async () => {
    const asked: number[] = [];
    const broken = (error: Error): FakeShards => ({
      query: ({ targets }, nodeId) => {
        asked.push(targets.length);
        return {
          results: targets.map((_, i) =>
            nodeId === 'n1' ? { ...EMPTY, target: i, error: errorMessage(error) } : result(i),
          ),
        };
      },
    });
    const answer = jsonOf(
      await fakeCoordinator(COPIES, answering(broken(errors.corruption('bad')))).search(request(), CALL),
    ) as Answer;
    assert.equal(answer._shards.failed, 0);
    asked.length = 0;
    await fakeCoordinator(COPIES, answering(broken(errors.illegalArgument('no'))))
      .search(request(), CALL)
      .catch(() => undefined);
    assert.equal(
      asked.reduce((sum, count) => sum + count, 0),
      2,
    );
  },
);

test('readers of a search that is refused while its answers come in are not kept', async () => {
  const freed: string[] = [];
  const shards = answering({ free: (contexts, nodeId) => freed.push(...contexts.map((id) => `${nodeId}/${id}`)) });
  const coordinator = fakeCoordinator(SINGLE, shards, undefined, { inFlightBytesMax: () => 20 });
  await assert.rejects(coordinator.search(request(), CALL), { type: 'circuit_breaking_exception' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(freed.sort(), ['n1/c0', 'n2/c0']);
  assert.equal(coordinator.inFlight.used, 0);
});

test('a shard without another copy fails, the others answer', async () => {
  const down = answering({
    query: ({ targets }, nodeId) => (nodeId === 'n2' ? fail(GONE) : { results: targets.map((_, i) => result(i)) }),
  });
  const answer = jsonOf(await fakeCoordinator(SINGLE, down).search(request(), CALL)) as Answer;
  assert.deepEqual([answer._shards.total, answer._shards.successful, answer._shards.failed], [2, 1, 1]);
  assert.deepEqual(
    answer._shards.failures!.map(({ shard, node, reason }) => [shard, node, reason.type]),
    [[1, 'n2', 'node_disconnected_exception']],
  );
});

function fail(error: Error): never {
  throw error;
}

test('a node that is lost between query and fetch makes its shards fail', async () => {
  const shards = answering({
    fetch: ({ target }, nodeId) =>
      nodeId === 'n2' ? fail(GONE) : { hits: [Buffer.from(`{"_id":"${shardOf(target)}"}`)] },
  });
  const answer = jsonOf(await fakeCoordinator(SINGLE, shards).search(request(), CALL)) as Answer;
  assert.deepEqual(answer.hits.hits, [{ _id: '0' }]);
  assert.deepEqual([answer._shards.successful, answer._shards.failed], [1, 1]);
  const refused = await failure(() =>
    fakeCoordinator(SINGLE, shards).search(request({ size: 200 }, { allowPartialResults: false }), CALL),
  );
  assert.deepEqual([refused.type, refused.reason], ['search_phase_execution_exception', 'Partial shards failure']);
});

test('partial results are refused with 503 where a shard has no copy', async () => {
  const state = stateWith([{ name: 'h', shards: [['n1'], []] }]);
  assert.equal((await fakeCoordinator(state, answering()).search(request(), CALL)).status, 200);
  const refused = await failure(() =>
    fakeCoordinator(state, answering()).search(request({ size: 200 }, { allowPartialResults: false }), CALL),
  );
  assert.deepEqual(refused, {
    status: 503,
    type: 'search_phase_execution_exception',
    reason: 'Search rejected due to missing shards',
  });
});

test('a search that fails gives back the contexts that it opened', async () => {
  const freed: string[] = [];
  const shards = answering({
    query: ({ targets }, nodeId) => (nodeId === 'n2' ? fail(GONE) : { results: targets.map((_, i) => result(i)) }),
    free: (contexts) => freed.push(...contexts),
  });
  await failure(() =>
    fakeCoordinator(SINGLE, shards).search(request({ size: 200 }, { allowPartialResults: false }), CALL),
  );
  assert.deepEqual(freed, ['c0']);
});

test('many shards of one node go in bounded messages, one after another', async () => {
  let underWay = 0;
  const sizes: number[] = [];
  const state = stateWith([{ name: 'h', shards: Array.from({ length: 200 }, () => ['n1']) }]);
  const shards = answering({
    query: ({ targets }) => {
      assert.equal(underWay++, 0);
      sizes.push(targets.length);
      underWay--;
      return { results: targets.map((_, i) => result(i)) };
    },
  });
  const answer = jsonOf(await fakeCoordinator(state, shards).search(request({ size: 3 }), CALL)) as Answer;
  assert.equal(answer._shards.successful, 200);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    200,
  );
  assert.ok(Math.max(...sizes) <= 64);
});

test('a point in time opens on another copy where one fails', async () => {
  const shards = answering({
    open: ({ targets }, nodeId) =>
      nodeId === 'n2'
        ? fail(GONE)
        : {
            contexts: targets.map((target) => `c${shardOf(target)}`),
            errors: targets.map(() => NO_ERROR),
            errorsJson: [],
          },
  });
  const { id } = jsonOf(
    await fakeCoordinator(COPIES, shards).openPointInTime(TARGET, 1000, { routing: null, preference: null }, CALL),
  ) as { id: string };
  assert.deepEqual(
    decodePointInTime(id).map(({ nodeIds, reader }) => [nodeIds[0], reader]),
    [
      ['n1', 'c0'],
      ['n1', 'c1'],
    ],
  );
  const refused = await failure(() =>
    fakeCoordinator(SINGLE, shards).openPointInTime(TARGET, 1000, { routing: null, preference: null }, CALL),
  );
  assert.equal(refused.type, 'search_phase_execution_exception');
});

test('a scroll of an earlier start of a node is gone', async () => {
  const scrollId = encodeScrollId({ nodeId: 'n1', session: 'start-0', cursor: 1, shards: 1 });
  const coordinator = fakeCoordinator(SINGLE, answering());
  const gone = await failure(() => coordinator.scroll({ scrollId, keepAliveMs: null, totalHitsAsInt: false }, CALL));
  assert.equal(gone.status, 404);
  assert.deepEqual(jsonOf(await coordinator.clearScroll([scrollId], CALL)), { succeeded: true, num_freed: 0 });
});

test(
  'a small page of shards on several nodes is rendered along with ' + 'the query, a page that costs more is fetched',
  async () => {
    let fetches = 0;
    const shards = answering({
      query: ({ targets, fetch, keepContext }) => {
        assert.equal(keepContext, !fetch);
        return {
          results: targets.map((target, i) => ({
            ...result(i),
            hits: fetch ? [Buffer.from(`{"_id":"${shardOf(target)}"}`)] : [],
          })),
        };
      },
      fetch: ({ target }) => {
        fetches++;
        return { hits: [Buffer.from(`{"_id":"${shardOf(target)}"}`)] };
      },
    });
    const ids = async (body: unknown): Promise<string[]> =>
      (jsonOf(await fakeCoordinator(SINGLE, shards).search(request(body), CALL)) as Answer).hits.hits.map(
        (hit) => hit._id,
      );
    assert.deepEqual(await ids({}), ['0', '1']);
    assert.deepEqual(await ids({ size: 1 }), ['0']);
    assert.equal(fetches, 0);
    assert.deepEqual(await ids({ highlight: { fields: { t: {} } } }), ['0', '1']);
    assert.deepEqual(await ids({ from: 1 }), ['1']);
    assert.equal(fetches, 3);
  },
);

test('answers of shards are held within the budget of the node, and given back', async () => {
  const coordinator = fakeCoordinator(SINGLE, answering());
  await coordinator.search(request(), CALL);
  assert.equal(coordinator.inFlight.used, 0);
  const release = coordinator.inFlight.charge(coordinator.inFlight.limit - 10, 'others');
  const refused = await failure(() => coordinator.search(request(), CALL));
  assert.deepEqual([refused.status, refused.type], [429, 'circuit_breaking_exception']);
  assert.match(refused.reason!, /data for \[<reduce_aggs>\]/);
  assert.equal(coordinator.inFlight.used, coordinator.inFlight.limit - 10);
  release();
  await coordinator.search(request(), CALL);
});

test('fetched hits are held within the budget of the node, and given back', async () => {
  const hit = Buffer.from(JSON.stringify({ _id: 'x'.repeat(50_000) }));
  const coordinator = fakeCoordinator(
    SINGLE,
    answering({ fetch: ({ docs }) => ({ hits: Array.from({ length: docs.length >> 2 }, () => hit) }) }),
  );
  const search = (): Promise<unknown> => coordinator.search(request({ from: 1 }), CALL);
  await search();
  assert.equal(coordinator.inFlight.used, 0);
  const release = coordinator.inFlight.charge(coordinator.inFlight.limit - 40_000, 'others');
  assert.deepEqual((await failure(search)).status, 429);
  assert.equal(coordinator.inFlight.used, coordinator.inFlight.limit - 40_000);
  release();
  coordinator.inFlight.hold(coordinator.inFlight.limit);
  assert.deepEqual((await failure(search)).status, 429);
});
