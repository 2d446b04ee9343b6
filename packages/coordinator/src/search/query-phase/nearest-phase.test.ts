import assert from 'node:assert/strict';
import test from 'node:test';
import { errors } from '@shoal/errors';
import { errorMessage, shard as messages } from '@shoal/protocol';
import { OPEN_ONLY } from '@shoal/state';
import { CALL, fakeCoordinator, stateWith } from '../../fake-cluster.js';
import type { SearchRequest } from '../parse/search-request.js';

const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));

const requestOf = (body: object): SearchRequest => ({
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
});

/** Shards whose nearest documents have these scores, and the bodies and counts that they got. */
function shardsWith(
  nodes: readonly string[],
  scores: readonly (readonly number[] | null)[],
  failing: string | null = '',
) {
  const asked: {
    readonly shard: number;
    readonly body: Record<string, unknown>;
    readonly size: number;
    readonly kept: unknown;
  }[] = [];
  const query = (request: messages.QueryRequest): messages.QueryResponse => ({
    results: request.targets.map((target, i) => {
      const { shardSize } = messages.decodeSearchOptions(request.options);
      const body = JSON.parse(Buffer.from(request.body).toString()) as Record<string, unknown>;
      const { shard } = target.shard!;
      asked.push({ shard, body, size: shardSize, kept: target.nearest?.counts });
      const all = scores[shard]!;
      if (all === null || failing === null || failing in body)
        return { ...EMPTY, target: i, error: errorMessage(errors.illegalArgument('broken')) };
      const own = all.slice(0, shardSize);
      return {
        ...EMPTY,
        target: i,
        docs: new Uint8Array(Int32Array.from(own.keys()).buffer),
        scores: new Uint8Array(Float32Array.from(own).buffer),
      };
    }),
  });
  const state = stateWith([{ name: 'h', shards: nodes.map((node) => [node]) }]);
  const other = (): Uint8Array =>
    messages.encodeShardCallResponse({ result: Buffer.from('{"fields":{},"terms":{}}') } as never);
  return { asked, coordinator: fakeCoordinator(state, { query, other }) };
}

const knn = { field: 'v', query_vector: [1], k: 3, num_candidates: 9, boost: 2 };

test('each shard keeps those of its nearest documents that are among the best of all shards', async () => {
  const { asked, coordinator } = shardsWith(['n1', 'n2', 'n2'], [[0.9, 0.5], [0.8, 0.7, 0.6], []]);
  await coordinator.search(requestOf({ knn, size: 0, query: { match_all: {} } }), CALL).catch(() => undefined);
  const first = { knn, size: 0, track_total_hits: false, _source: false };
  for (const { body, size, kept } of asked.slice(0, 3)) assert.deepEqual([body, size, kept], [first, 3, undefined]);
  assert.deepEqual(Object.fromEntries(asked.slice(3).map(({ shard, kept }) => [shard, kept])), {
    0: [1],
    1: [2],
    2: [0],
  });
});

test('one shard is asked once, and keeps as many as the clause asks for', async () => {
  const { asked, coordinator } = shardsWith(['n1'], [[0.9, 0.5]]);
  await coordinator.search(requestOf({ knn, size: 0 }), CALL).catch(() => undefined);
  assert.deepEqual(
    asked.map(({ kept }) => kept),
    [undefined],
  );
});

test('one shard that explains is told how many it has found', async () => {
  const { asked, coordinator } = shardsWith(['n1'], [[0.9, 0.5]]);
  await coordinator.search(requestOf({ knn, size: 0, explain: true }), CALL).catch(() => undefined);
  assert.deepEqual(
    asked.map(({ kept }) => kept),
    [undefined, [2]],
  );
});

test('a shard that fails in the first phase keeps all of its own, and fails again if it must', async () => {
  const { asked, coordinator } = shardsWith(['n1', 'n2'], [[0.9, 0.8, 0.7], null]);
  await coordinator.search(requestOf({ knn: [knn, knn], size: 0 }), CALL).catch(() => undefined);
  assert.deepEqual(
    asked.slice(4).map(({ kept }) => kept),
    [
      [3, 3],
      [3, 3],
    ],
  );
});

test('searches of vectors fail in the phase of the nearest ones, what is read later in the next', async () => {
  const phaseOf = async (body: object, failing: string | null = null): Promise<unknown> => {
    const { coordinator } = shardsWith(['n1'], [[0.5]], failing);
    try {
      await coordinator.search(requestOf(body), CALL);
    } catch (error) {
      return (error as { meta: { phase: string } }).meta.phase;
    }
    return null;
  };
  const aggs = { a: { max: { field: 'n' } } };
  assert.equal(await phaseOf({ knn }), 'dfs');
  assert.equal(await phaseOf({ knn, aggs }), 'dfs');
  assert.equal(await phaseOf({ knn, aggs }, 'aggs'), 'dfs_query');
  assert.equal(await phaseOf({ knn, highlight: { fields: { n: {} } } }, 'highlight'), 'fetch');
  assert.equal(await phaseOf({ query: { match_all: {} }, aggs: { a: { max: { field: 'n' } } } }), 'query');
});
