import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { OPEN_ONLY } from '@shoal/state';
import { shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, jsonOf, stateWith } from '../../fake-cluster.js';
import { shareOf } from '../fetch-phase/fetch-at-once.js';
import type { SearchRequest } from '../parse/search-request.js';

const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));
const CLUSTER = stateWith([{ name: 'h', shards: [['n1'], ['n2'], ['n2']] }]);

const request: SearchRequest = {
  target: { names: ['h'], options: OPEN_ONLY },
  namedIndicesOptions: false,
  body: Buffer.from('{}'),
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
};

/**
 * Shards with hits of these scores, which give as many as they are told to, and what they were asked for: shards and
 * how many hits.
 */
function shardsWith(scores: (shard: number, time: number) => readonly number[]) {
  const asked: (readonly [shard: number, count: number])[] = [];
  const answer = (query: messages.QueryRequest, target: number): messages.ShardQueryResult => {
    const { shard } = query.targets[target]!.shard!;
    const { shardSize } = messages.decodeSearchOptions(query.options);
    const all = scores(shard, asked.filter(([other]) => other === shard).length);
    const found = all.slice(0, shardSize);
    asked.push([shard, shardSize]);
    const hits = found.map((score) => Buffer.from(`{"_id":"${shard}-${score}"}`));
    return {
      ...EMPTY,
      target,
      total: all.length,
      maxScore: found[0],
      docs: new Uint8Array(Int32Array.from(found.keys()).buffer),
      scores: new Uint8Array(Float32Array.from(found).buffer),
      hits,
    };
  };
  const coordinator = fakeCoordinator(CLUSTER, {
    query: (query) => ({ results: query.targets.map((_, i) => answer(query, i)) }),
    fetch: () => assert.fail('a second phase'),
  });
  return {
    asked,
    search: async () =>
      jsonOf(await coordinator.search(request, CALL)) as {
        hits: { total: { value: number }; hits: { _id: string }[] };
        _shards: { failed: number };
      },
  };
}

const down = (from: number, step: number): number[] => Array.from({ length: 10 }, (_, i) => from - i * step);

test('the share of a shard is more than it has on the page, save hardly ever', () => {
  assert.deepEqual([shareOf(10, 3), shareOf(50, 3), shareOf(10, 2), shareOf(1, 5), shareOf(10, 1)], [8, 25, 10, 1, 10]);
});

test('a page that is spread over the shards takes one round', async () => {
  const { asked, search } = shardsWith((shard) => down(100 - shard, 3));
  const { hits } = await search();
  assert.deepEqual(
    hits.hits.map(({ _id }) => _id),
    ['0-100', '1-99', '2-98', '0-97', '1-96', '2-95', '0-94', '1-93', '2-92', '0-91'],
  );
  assert.deepEqual(asked.toSorted(), [
    [0, 8],
    [1, 8],
    [2, 8],
  ]);
});

test('a shard whose whole share is on the page is asked again, alone and for all of it', async () => {
  const { asked, search } = shardsWith((shard) => down(shard === 1 ? 100 : 50 - shard, 1));
  const { hits } = await search();
  assert.deepEqual(
    hits.hits.map(({ _id }) => _id),
    down(100, 1).map((score) => `1-${score}`),
  );
  assert.equal(hits.total.value, 30);
  assert.deepEqual(asked.slice(3), [[1, 10]]);
});

test('a shard that has lost its hits when it is asked again leaves the page to the others', async () => {
  const { asked, search } = shardsWith((shard, time) =>
    shard === 1 && time > 0 ? [] : down(shard === 1 ? 100 : 50 - shard * 20, 1),
  );
  const { hits } = await search();
  assert.deepEqual(
    hits.hits.map(({ _id }) => _id),
    down(50, 1).map((score) => `0-${score}`),
  );
  assert.deepEqual(asked.slice(3), [
    [1, 10],
    [0, 10],
  ]);
});

test('a shard whose share ends the page is not asked again', async () => {
  const { asked, search } = shardsWith((shard) => [down(100, 1), [99.5], [97.5]][shard]!);
  const { hits } = await search();
  assert.deepEqual(hits.hits.map(({ _id }) => _id).slice(-2), ['0-94', '0-93']);
  assert.equal(asked.length, 3);
});

test('a shared page has the hits that all shards together have, however they are spread', async () => {
  const scores = fc
    .array(fc.integer({ min: 0, max: 30 }), { maxLength: 15 })
    .map((list) => list.toSorted((a, b) => b - a));
  await fc.assert(
    fc.asyncProperty(fc.tuple(scores, scores, scores), async (lists) => {
      const all = lists.flatMap((list, shard) => list.map((score) => ({ score, shard })));
      const best = all.toSorted((a, b) => b.score - a.score || a.shard - b.shard).slice(0, 10);
      const { hits } = await shardsWith((shard) => lists[shard]!).search();
      assert.deepEqual(
        hits.hits.map(({ _id }) => _id),
        best.map(({ score, shard }) => `${shard}-${score}`),
      );
    }),
  );
});
