import assert from 'node:assert/strict';
import test from 'node:test';
import { OPEN_ONLY } from '@shoal/cluster';
import { shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, jsonOf, stateWith } from '../fake-cluster.js';
import { renderedShare } from './fetch-at-once.js';
import type { SearchRequest } from './search-request.js';

const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));
const CLUSTER = stateWith([{ name: 'h', shards: [['n1'], ['n2'], ['n2']] }]);

const request: SearchRequest = {
  target: { names: ['h'], options: OPEN_ONLY }, namedIndicesOptions: false, body: Buffer.from('{}'), overrides: {}, searchType: 'query_then_fetch', routing: null,
  preference: null, typedKeys: false, totalHitsAsInt: false, scrollMs: null, allowPartialResults: null, requestCache: null, maxConcurrentShardRequests: 5, includeNamedQueriesScore: false,
};

/** Shards with hits of these scores, which render as many as they are told to, and what they were asked for: shards and how many hits. */
function shardsWith(scores: (shard: number, time: number) => readonly number[]) {
  const asked: (readonly [shard: number, rendered: number | undefined])[] = [];
  const answer = (query: messages.QueryRequest, target: number): messages.ShardQueryResult => {
    const { shard } = query.targets[target]!.shard!;
    const { rendered } = JSON.parse(Buffer.from(query.options).toString()) as { rendered?: number };
    const found = scores(shard, asked.filter(([other]) => other === shard).length);
    asked.push([shard, rendered]);
    const hits = found.slice(0, rendered).map((score) => Buffer.from(`{"_id":"${shard}-${score}"}`));
    return { ...EMPTY, target, total: found.length, maxScore: found[0], docs: new Uint8Array(Int32Array.from(found.keys()).buffer), scores: new Uint8Array(Float32Array.from(found).buffer), hits };
  };
  const coordinator = fakeCoordinator(CLUSTER, { query: (query) => ({ results: query.targets.map((_, i) => answer(query, i)) }), fetch: () => assert.fail('a second phase') });
  return { asked, search: async () => jsonOf(await coordinator.search(request, CALL)) as { hits: { total: { value: number }; hits: { _id: string }[] }; _shards: { failed: number } } };
}

const down = (from: number, step: number): number[] => Array.from({ length: 10 }, (_, i) => from - i * step);

test('a shard renders what it hardly ever has more of on the page', () => {
  assert.deepEqual([renderedShare(10, 3), renderedShare(50, 3), renderedShare(10, 2), renderedShare(1, 5), renderedShare(10, 1)], [7, 24, 9, 1, 10]);
});

test('a page that is spread over the shards takes one round', async () => {
  const { asked, search } = shardsWith((shard) => down(100 - shard, 3));
  const { hits } = await search();
  assert.deepEqual(hits.hits.map(({ _id }) => _id), ['0-100', '1-99', '2-98', '0-97', '1-96', '2-95', '0-94', '1-93', '2-92', '0-91']);
  assert.deepEqual(asked.toSorted(), [[0, 7], [1, 7], [2, 7]]);
});

test('a shard with more of the page than it rendered is asked again, alone and for all of it', async () => {
  const { asked, search } = shardsWith((shard) => down(shard === 1 ? 100 : 50 - shard, 1));
  const { hits } = await search();
  assert.deepEqual(hits.hits.map(({ _id }) => _id), down(100, 1).map((score) => `1-${score}`));
  assert.equal(hits.total.value, 30);
  assert.deepEqual(asked.slice(3), [[1, undefined]]);
});

test('a shard that has lost its hits when it is asked again leaves the page to the others', async () => {
  const { asked, search } = shardsWith((shard, time) => (shard === 1 && time > 0 ? [] : down(shard === 1 ? 100 : 50 - shard * 20, 1)));
  const { hits } = await search();
  assert.deepEqual(hits.hits.map(({ _id }) => _id), down(50, 1).map((score) => `0-${score}`));
  assert.deepEqual(asked.slice(3), [[1, undefined], [0, undefined]]);
});
