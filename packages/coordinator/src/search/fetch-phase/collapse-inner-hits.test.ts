import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_ONLY } from '@shoal/state';
import { encodeValue } from '@shoal/codec';
import { NO_ERROR, shard as messages } from '@shoal/protocol';
import { CALL, fakeCoordinator, jsonOf, stateWith } from '../../fake-cluster.js';
import type { SearchRequest } from '../parse/search-request.js';

const STATE = stateWith([
  { name: 'h', shards: [['n1']] },
  { name: 'other', shards: [['n1']] },
]);
const TARGET = { names: ['h'], options: OPEN_ONLY };
const EMPTY = messages.decodeShardQueryResult(new Uint8Array(0));

const request = (body: unknown, names: readonly string[]): SearchRequest => ({
  target: { names, options: OPEN_ONLY },
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

interface Asked {
  readonly index: string;
  readonly context: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A shard that finds one hit, of the group `k`, and the queries that it is asked. */
function grouping(asked: Asked[], hit = '{"_id":"1"}'): Parameters<typeof fakeCoordinator>[1] {
  return {
    open: ({ targets }) => ({
      contexts: targets.map(() => 'at-that-time'),
      errors: targets.map(() => NO_ERROR),
      errorsJson: [],
    }),
    query: ({ targets, body }) => ({
      results: targets.map(({ indexName, context }, target) => {
        asked.push({ index: indexName, context, body: JSON.parse(Buffer.from(body).toString()) as Asked['body'] });
        return {
          ...EMPTY,
          target,
          total: 1,
          maxScore: 1,
          docs: new Uint8Array(4),
          scores: new Uint8Array(Float32Array.of(1).buffer),
          collapseValues: encodeValue(['k']),
          hits: [Buffer.from(hit)],
          context: 'c',
        };
      }),
    }),
  };
}

const COLLAPSE = { field: 'g', inner_hits: { name: 'all', size: 5 } };

test('the groups of a search over a point in time are looked up at the same point in time', async () => {
  const asked: Asked[] = [];
  const coordinator = fakeCoordinator(STATE, grouping(asked));
  const { id } = jsonOf(await coordinator.openPointInTime(TARGET, 1000, { routing: null, preference: null }, CALL)) as {
    id: string;
  };
  await coordinator.search(request({ pit: { id, keep_alive: '1m' }, collapse: COLLAPSE }, []), CALL);
  assert.deepEqual(
    asked.map(({ index, context }) => [index, context]),
    [
      ['h', 'at-that-time'],
      ['h', 'at-that-time'],
    ],
  );
});

test('hits of groups stand beside those of nested objects, and before those of the same name', async () => {
  const own = '{"two":{"hits":{"max_score":1.0}},"all":{"hits":{"max_score":2.0}}}';
  const hit = `{"_id":"1","_source":{"inner_hits":{"n":2.0}},"inner_hits":${own}}`;
  const coordinator = fakeCoordinator(STATE, grouping([], hit));
  const answer = await coordinator.search(request({ collapse: COLLAPSE }, ['h']), CALL);
  const text = Buffer.concat(answer.chunks).toString();
  const [shown] = (JSON.parse(text) as { hits: { hits: { inner_hits: Record<string, { hits: object }> }[] } }).hits
    .hits;
  assert.deepEqual(Object.keys(shown!.inner_hits).toSorted(), ['all', 'two']);
  assert.equal((shown!.inner_hits['all']!.hits as { hits: unknown[] }).hits.length, 1);
  assert.ok(text.includes('"_source":{"inner_hits":{"n":2.0}}') && text.includes('"two":{"hits":{"max_score":1.0}}'));
});

test('a document that has a field of that name is no hit with inner hits', async () => {
  const coordinator = fakeCoordinator(STATE, grouping([], '{"_id":"1","_source":{"inner_hits":{"n":2.0}}}'));
  const answer = await coordinator.search(request({ collapse: COLLAPSE }, ['h']), CALL);
  const text = Buffer.concat(answer.chunks).toString();
  assert.ok(text.includes('"_source":{"inner_hits":{"n":2.0}},"inner_hits":{"all":'), text);
});
