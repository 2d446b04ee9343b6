import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchBody, type Search } from '@shoal/aggregations';
import { errors } from '@shoal/errors';
import { parseJson } from '@shoal/json';
import { parseContext, type ParsedQuery, planQuery, type Searcher } from '@shoal/query';
import { memoryIndex } from '@shoal/query/testing';
import { OPEN_ONLY } from '@shoal/state';
import fc from 'fast-check';
import { CALL, fakeCoordinator, stateWith } from '../../fake-cluster.js';
import { StoredScripts } from '@shoal/script';
import { parseSearch } from './parse-search.js';
import type { SearchRequest } from './search-request.js';

const request = (body: unknown, overrides: Record<string, unknown> = {}, names = ['i']): SearchRequest => ({
  target: { names, options: OPEN_ONLY },
  namedIndicesOptions: false,
  body: body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body)),
  overrides,
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

const queries = fc.oneof(
  fc.constant({ match_all: {} }),
  fc.record({ term: fc.record({ k: fc.string() }) }),
  fc.record({ match: fc.record({ t: fc.record({ query: fc.lorem(), boost: fc.nat(3) }) }) }),
  fc.record({ range: fc.record({ n: fc.record({ gte: fc.integer(), lt: fc.integer() }) }) }),
  fc.constant({ bool: { must: [{ exists: { field: 'n' } }], should: [{ prefix: { k: 'a' } }], _name: 'both' } }),
);
const flag = fc.constantFrom(true, false, 'true', 'false');
const whole = fc.oneof(fc.nat(50), fc.nat(50).map(String));

/** Bodies with any of the sections; each alone is accepted, and so are all together. */
const bodies = fc.record(
  {
    query: queries,
    post_filter: queries,
    from: whole,
    size: whole,
    sort: fc.constantFrom('n', ['n', '_score'], { n: 'desc' }, [{ _score: { order: 'desc' } }], ['_doc']),
    search_after: fc.constant([1]),
    track_total_hits: fc.oneof(flag, whole, fc.constant(-1)),
    track_scores: flag,
    min_score: fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.constant('1.5')),
    terminate_after: whole,
    timeout: fc.constantFrom('5s', -1, '-1'),
    version: flag,
    seq_no_primary_term: flag,
    explain: flag,
    profile: flag,
    _source: fc.constantFrom(true, false, 'a', ['a', 'b*'], { includes: ['a'], excludes: 'b' }),
    fields: fc.constant(['k', { field: 'd', format: 'year' }]),
    docvalue_fields: fc.constant([{ field: 'n' }]),
    stored_fields: fc.constantFrom('_none_', ['k'], []),
    script_fields: fc.constantFrom({}, { s: { script: '1' } }),
    highlight: fc.constant({ pre_tags: '<b>', post_tags: '</b>', fields: { t: { fragment_size: 20 } } }),
    suggest: fc.constant({ text: 'woord', s: { term: { field: 't' } } }),
    aggs: fc.constantFrom(
      { a: { terms: { field: 'k', min_doc_count: 0 }, aggs: { m: { avg: { field: 'n' } } } } },
      { g: { global: {}, aggs: { h: { top_hits: { size: 2, sort: 'n', _source: false } } } } },
      { d: { date_histogram: { field: 'd', fixed_interval: '1d' } } },
    ),
    collapse: fc.constantFrom({ field: 'k' }, { field: 'k', inner_hits: [{ name: 'a' }, { name: 'b', size: 1 }] }),
    rescore: fc.constantFrom([], { window_size: 5, query: { rescore_query: { match_all: {} }, score_mode: 'max' } }),
    slice: fc.constantFrom({ id: 0, max: 2 }, { id: '1', max: '3' }),
    pit: fc.constantFrom({ id: 'x' }, { id: 'x', keep_alive: '1m' }),
    indices_boost: fc.constant([{ 'i*': 2 }]),
    stats: fc.array(fc.string()),
    ext: fc.constant({}),
  },
  { requiredKeys: [] },
);
const overrides = fc.record(
  { from: whole, size: whole, track_total_hits: flag, _source: fc.constantFrom(false, ['c']) },
  { requiredKeys: [] },
);

/** A parsed search without its functions, queries as what they are planned as: what two of them can be compared by. */
function comparable(value: unknown, searcher: Searcher, above: readonly unknown[] = []): unknown {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (above.includes(value)) return 'above';
  const inside = (one: unknown): unknown => comparable(one, searcher, [...above, value]);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof (value as { plan?: unknown }).plan === 'function') {
    const { type, queryName } = value as ParsedQuery;
    const plan = planQuery(value as ParsedQuery, { searcher, now: () => 0, nestedPath: null, innerHits: [] });
    return { type, queryName, plan: inside(plan) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one)]));
}

test('a body gives on a shard that gets its bytes what the coordinator parsed', async () => {
  const index = memoryIndex({
    mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' }, d: { type: 'date' } },
    documents: [{ k: 'a', t: 'word', n: 1, d: '2024-01-01' }],
  });
  const searcher = await index.searcher([[0]]);
  fc.assert(
    fc.property(bodies, overrides, (body, given) => {
      const { body: bytes, hasStoredScripts, ...parsed } = parseSearch(request(body, given, []), parseContext());
      assert.equal(hasStoredScripts, false);
      const atShard = parseSearchBody(parseJson(bytes) as Record<string, unknown>, parseContext());
      assert.deepEqual(comparable(atShard, searcher), comparable(parsed, searcher));
    }),
  );
});

test('parameters win over the body, and no body is an empty one', () => {
  const plan = parseSearch(request({ size: 3, from: 1 }, { size: '5' }), parseContext());
  assert.deepEqual([plan.size, plan.from, plan.json['size']], [5, 1, '5']);
  const empty = parseSearch(request(undefined), parseContext());
  assert.deepEqual([empty.size, Buffer.from(empty.body).toString()], [10, '{}']);
});

test('of several errors the first in the body is told, with its place', () => {
  const refused = (body: unknown): unknown => {
    try {
      parseSearch(request(body), parseContext());
    } catch (error) {
      const { type, reason, meta } = error as ReturnType<typeof errors.parsing>;
      return [type, reason, meta];
    }
    return null;
  };
  const [negative, unknown, sorted] = [
    ['illegal_argument_exception', '[size] parameter cannot be negative, found [-1]', {}],
    (col: number) => ['parsing_exception', 'unknown query [nothing]', { line: 1, col }],
    (col: number) => ['parsing_exception', 'Unknown key for a VALUE_NUMBER in [sorted].', { line: 1, col }],
  ] as const;
  assert.deepEqual(refused({ size: -1, query: { nothing: {} }, sorted: 1 }), negative);
  assert.deepEqual(refused({ query: { nothing: {} }, size: -1, sorted: 1 }), unknown(21));
  assert.deepEqual(refused({ sorted: 1, query: { nothing: {} }, size: -1 }), sorted(11));
  assert.deepEqual(refused({ query: { nothing: {} }, size: -1 }), unknown(21));
  assert.deepEqual(refused({ size: -1, sort: [1] }), negative);
});

test('shards on this thread get the search as it was parsed', async () => {
  const asked: { readonly search: Search; readonly body: Uint8Array }[] = [];
  const coordinator = fakeCoordinator(stateWith([{ name: 'i', shards: [['n1']] }]), {
    local: (_action, message) => {
      asked.push(message as (typeof asked)[number]);
      throw errors.illegalArgument('enough');
    },
  });
  await assert.rejects(coordinator.search(request({ query: { ids: { values: ['1'] } }, stats: ['g'] }), CALL));
  assert.deepEqual(
    asked.map(({ search, body }) => [search.query?.type, search.groups, Buffer.from(body).toString()]),
    [['ids', ['g'], '{"query":{"ids":{"values":["1"]}},"stats":["g"]}']],
  );
});

test('stored scripts are replaced by their text in the body for the shards', () => {
  const lookup = (id: string) => (id === 'a' ? { lang: 'painless', source: 'true' } : undefined);
  const parsing = () => ({ ...parseContext(), storedScripts: new StoredScripts(lookup) });
  const parsed = (id: string) => parseSearch(request({ query: { script: { script: { id } } } }), parsing());
  const { body, hasStoredScripts } = parsed('a');
  const script = { lang: 'painless', source: 'true' };
  assert.deepEqual([parseJson(body), hasStoredScripts], [{ query: { script: { script } } }, true]);
  assert.deepEqual(parseJson(parsed('nope').body), { query: { script: { script: { id: 'nope' } } } });
});
