import assert from 'node:assert/strict';
import test from 'node:test';
import { OPEN_ONLY } from '@shoal/state';
import { encodeValue } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, type FakeShards, jsonOf, stateWith } from '../../fake-cluster.js';
import type { SearchRequest } from '../parse/search-request.js';

const SHARDS = 200;
const STATE = stateWith([{ name: 'h', shards: Array.from({ length: SHARDS }, (_, i) => [i % 2 ? 'n1' : 'n2']) }]);

function request(body: unknown, change: Partial<SearchRequest> = {}): SearchRequest {
  return {
    target: { names: ['h'], options: OPEN_ONLY },
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
const shardOf = (target: messages.ShardTarget | undefined): number => target!.shard!.shard;

/** Shard i has one document with the value i; those of `matching` say that they can match. */
function shards(searched: number[], matching: (shard: number) => boolean): FakeShards {
  return {
    canMatch: ({ targets }) => ({
      results: targets.map((target, i) => ({
        target: i,
        matches: matching(shardOf(target)),
        min: shardOf(target),
        max: shardOf(target),
      })),
    }),
    query: ({ targets }) => {
      searched.push(...targets.map(shardOf));
      return {
        results: targets.map((target, i) => ({
          ...EMPTY,
          target: i,
          total: 1,
          docs: new Uint8Array(4),
          sortValues: encodeValue([[shardOf(target)]]),
        })),
      };
    },
    fetch: ({ target }) => ({ hits: [Buffer.from(`{"_id":"${shardOf(target)}"}`)] }),
  };
}

interface Answer {
  readonly _shards: Record<string, number>;
  readonly hits: { readonly hits: { readonly _id: string }[] };
}

const QUERY = { query: { range: { n: { gte: 1 } } } };

test('of many shards only those that can match are searched; the others count as skipped', async () => {
  const searched: number[] = [];
  const coordinator = fakeCoordinator(
    STATE,
    shards(searched, (shard) => shard < 3),
  );
  const answer = jsonOf(await coordinator.search(request({ ...QUERY, sort: ['n'] }), CALL)) as Answer;
  assert.deepEqual(answer._shards, { total: SHARDS, successful: SHARDS, skipped: SHARDS - 3, failed: 0 });
  assert.deepEqual(searched.sort(), [0, 1, 2]);
});

test('one shard is searched where none can match', async () => {
  const searched: number[] = [];
  const answer = jsonOf(
    await fakeCoordinator(
      STATE,
      shards(searched, () => false),
    ).search(request(QUERY), CALL),
  ) as Answer;
  assert.deepEqual(searched, [0]);
  assert.equal(answer._shards['skipped'], SHARDS - 1);
});

test('fewer shards are asked first only on demand', async () => {
  const few = stateWith([{ name: 'h', shards: [['n1'], ['n1'], ['n2']] }]);
  const searched: number[] = [];
  const coordinator = fakeCoordinator(
    few,
    shards(searched, (shard) => shard === 2),
  );
  await coordinator.search(request({ ...QUERY, size: 200 }), CALL);
  assert.equal(searched.length, 3);
  const answer = jsonOf(
    await coordinator.search(request({ ...QUERY, size: 200 }, { preFilterShardSize: 1 }), CALL),
  ) as Answer;
  assert.equal(answer._shards['skipped'], 2);
});

test('aggregations that show what does not match need every shard', async () => {
  const searched: number[] = [];
  await fakeCoordinator(
    STATE,
    shards(searched, () => false),
  ).search(request({ ...QUERY, size: 0, aggs: { all: { global: {} } } }), CALL);
  assert.equal(searched.length, SHARDS);
});

test('shards that cannot tell are searched', async () => {
  const searched: number[] = [];
  const silent = { ...shards(searched, () => false), canMatch: () => assert.fail(errors.nodeDisconnected(null)) };
  await fakeCoordinator(STATE, silent).search(request(QUERY), CALL);
  assert.equal(searched.length, SHARDS);
});

for (const [order, best] of [
  ['asc', ['0', '1']],
  ['desc', ['199', '198']],
] as const) {
  test(`sorted ${order}, shards beyond the last hit shown are spared, and the hits stay the same`, async () => {
    const searched: number[] = [];
    const coordinator = fakeCoordinator(
      STATE,
      shards(searched, () => true),
    );
    const body = { ...QUERY, size: 2, sort: [{ n: order }] };
    const answer = jsonOf(await coordinator.search(request({ ...body, track_total_hits: false }), CALL)) as Answer;
    assert.deepEqual(
      answer.hits.hits.map((hit) => hit._id),
      best,
    );
    assert.ok(searched.length < SHARDS);
    assert.deepEqual(answer._shards, {
      total: SHARDS,
      successful: SHARDS,
      skipped: SHARDS - searched.length,
      failed: 0,
    });
    searched.length = 0;
    await coordinator.search(request({ ...body, track_total_hits: true }), CALL);
    assert.equal(searched.length, SHARDS);
  });
}
