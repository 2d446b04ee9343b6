import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiNumbers, multiOrdinals, NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import { createWeight } from '../execute/weight.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import type { Searcher } from '../searcher.js';
import { FIXTURE_NOW_MS, memoryIndex } from '../testing/memory-index.js';
import { searchFixture } from '../testing/search-fixture.js';
import { withRuntime } from './runtime-searcher.js';

const OFF = { enabled: false, type: 'object' };

const OPTIONS = {
  // Nothing of the sources is indexed but `id`.
  mapping: {
    id: { type: 'long' },
    m: { type: 'long' },
    o: OFF,
    n: { type: 'nested', properties: { y: { type: 'long' } } },
  },
  runtime: {
    'o.k': { type: 'keyword' },
    'o.l': { type: 'long' },
    'o.d': { type: 'double' },
    'o.b': { type: 'boolean' },
    'o.t': { type: 'date' },
    'o.i': { type: 'ip' },
    'o.g': { type: 'geo_point' },
    id: { type: 'keyword' },
  },
  documents: [
    { id: 1, m: 1, o: { k: 'apple', l: 1, d: 1.5, b: true, t: '2020-01-01', i: '10.0.0.1', g: { lat: 1, lon: 2 } } },
    {
      id: 2,
      m: 2,
      o: { k: ['pear', 'apricot', 'pear'], l: [7, 9007199254740992], d: -2, b: [false, true], t: '2021-06-01' },
    },
    { id: 3, m: 3, n: [{ y: 1 }, { y: 2 }] },
    {
      id: 4,
      m: 4,
      o: {
        k: 'x',
        l: 'no',
        i: ['::1', '1.2.3.4'],
        g: [
          [2, 1],
          [50, 50],
        ],
        t: 0,
      },
    },
  ],
};

const index = await searchFixture(OPTIONS);

/** Queries, ids found and texts; compared with Elasticsearch 8.12.0. All scores are 1. */
const FOUND: readonly (readonly [object, readonly string[], string])[] = [
  [{ term: { 'o.k': 'pear' } }, ['2'], 'o.k:pear'],
  [{ terms: { 'o.k': ['pear', 'x'] } }, ['2', '4'], 'o.k:[pear, x]'],
  [{ match: { 'o.k': 'apple' } }, ['1'], 'o.k:apple'],
  [{ prefix: { 'o.k': 'ap' } }, ['1', '2'], 'o.k:ap*'],
  [{ wildcard: { 'o.k': { value: '*P?E*', case_insensitive: true } } }, ['1'], 'o.k:*P?E*'],
  [{ regexp: { 'o.k': 'ap.*t' } }, ['2'], 'o.k:/ap.*t/'],
  [{ fuzzy: { 'o.k': 'aple' } }, ['1'], 'o.k:aple~1'],
  [{ range: { 'o.k': { gt: 'apple', lte: 'x' } } }, ['2', '4'], 'o.k:{apple TO x]'],
  [{ exists: { field: 'o.k' } }, ['1', '2', '4'], 'o.k:StringScriptFieldExistsQuery'],
  [{ term: { 'o.l': 7 } }, ['2'], 'o.l:7'],
  [{ terms: { 'o.l': [1, 2] } }, ['1'], 'o.l:[1, 2]'],
  [{ range: { 'o.l': { gt: 1 } } }, ['2'], 'o.l:[2 TO 9223372036854775807]'],
  [{ exists: { field: 'o.l' } }, ['1', '2'], 'o.l:LongScriptFieldExistsQuery'],
  [{ range: { 'o.d': { lte: -1 } } }, ['2'], 'o.d:[-Infinity TO -1.0]'],
  [{ term: { 'o.b': false } }, ['2'], 'o.b:false'],
  [{ terms: { 'o.b': ['true'] } }, ['1', '2'], 'o.b:true'],
  [{ range: { 'o.t': { gte: '2020-01-01', lt: '2021-01-01' } } }, ['1'], 'o.t:[1577836800000 TO 1609459199999]'],
  [{ term: { 'o.t': '2020' } }, ['1'], 'o.t:1577836800000'],
  [{ term: { 'o.t': '2021' } }, [], 'o.t:1609459200000'],
  [{ term: { 'o.i': '10.0.0.0/8' } }, ['1'], 'o.i:[10.0.0.0 TO 10.255.255.255]'],
  [{ term: { 'o.i': '::1' } }, ['4'], 'o.i:::1'],
  [{ exists: { field: 'o.g' } }, ['1', '4'], 'o.g:GeoPointScriptFieldExistsQuery'],
  [{ term: { id: '2' } }, ['2'], 'id:2'],
];

test('conditions on runtime fields find documents by their sources', () => {
  for (const [query, ids, plan] of FOUND)
    index.answers([
      [query, { ids, scores: ids.map(() => 1), plan: `+${plan} #FieldExistsQuery [field=_primary_term]` }],
    ]);
});

test('areas contain points of runtime fields', () =>
  index.finds([
    [{ geo_distance: { 'o.g': '1,2', distance: '10km' } }, ['1', '4']],
    [{ geo_bounding_box: { 'o.g': { top: 60, left: 40, bottom: 40, right: 60 } } }, ['4']],
  ]));

test('nested documents have no values of runtime fields', () =>
  index.finds([[{ nested: { path: 'n', query: { exists: { field: 'id' } } } }, []]]));

test('the words of errors name runtime fields', () =>
  index.refuses([
    [
      { prefix: { 'o.l': '1' } },
      'query_shard_exception: failed to create query: Can only use prefix queries on keyword, text and wildcard ' +
        'fields - not on [o.l] which is a runtime field of type [long] <- illegal_argument_exception: Can only use ' +
        'prefix queries on keyword, text and wildcard fields - not on [o.l] which is a runtime field of type [long]',
    ],
    [
      { more_like_this: { fields: ['o.k'], like: 'a' } },
      'query_shard_exception: failed to create query: more_like_this only supports text/keyword fields: [o.k] <- ' +
        'illegal_argument_exception: more_like_this only supports text/keyword fields: [o.k]',
    ],
    [
      { term: { 'o.b': 'x' } },
      'query_shard_exception: failed to create query: Failed to parse value [x] as only [true] or [false] are ' +
        'allowed. <- illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
  ]));

test('a cluster that allows no expensive queries refuses conditions on runtime fields', async () => {
  const strict = await searchFixture({ ...OPTIONS, settings: { allowExpensiveQueries: false } });
  const reason =
    'queries cannot be executed against runtime fields while [search.allow_expensive_queries] is set to [false].';
  strict.refuses([
    [
      { bool: { should: [{ term: { 'o.l': 7 } }] } },
      `query_shard_exception: failed to create query: ${reason} <- exception: ${reason}`,
    ],
  ]);
});

/** A searcher over the documents in one segment, and the numbers of the documents whose sources were read. */
async function observed(): Promise<{ readonly searcher: Searcher; readonly asked: number[] }> {
  const { runtime, ...plain } = OPTIONS;
  const asked: number[] = [];
  const beneath = await memoryIndex(plain).searcher([[0, 1, 2, 3]]);
  const noting: Searcher = { ...beneath, stored: (doc) => (asked.push(doc), beneath.stored(doc)) };
  return { searcher: withRuntime(noting, runtime), asked };
}

test('only sources of documents that all other clauses match are read', async () => {
  const { searcher, asked } = await observed();
  const query = {
    bool: { must: [{ term: { 'o.k': 'pear' } }], filter: [{ range: { m: { gte: 2, lte: 3 } } }] },
  };
  const parsed = parseQuery(query, parseContext());
  const plan = planQuery(parsed, { searcher, now: () => FIXTURE_NOW_MS, nestedPath: null, innerHits: [] });
  const matcher = createWeight(plan, searcher, { needsScores: true }).matcher(searcher.segments[0]!, true)!;
  const docs = new Int32Array(WINDOW_DOCS);
  assert.equal(matcher.window(0, searcher.maxDoc, docs, new Float64Array(WINDOW_DOCS)), 1);
  assert.deepEqual([docs[0], asked], [1, [1, 4]]);
});

test('columns of runtime fields are those that an indexed field would have', async () => {
  const { searcher } = await observed();
  const { reader } = searcher.segments[0]!;
  const docs = Int32Array.of(0, 1, 4, 5);
  const longs = reader.numbers('o.l')!;
  const numbers = multiNumbers();
  longs.readAll(docs, 4, numbers);
  assert.deepEqual([...numbers.starts.subarray(0, 5)], [0, 1, 3, 3, 3]);
  assert.deepEqual([longs.min, longs.max, longs.isSingleValued, longs.docsWithField], [1, 2 ** 53, false, 2]);
  assert.deepEqual([longs.bigs(1), longs.bigs(5)], [[7n, 9007199254740992n], []]);
  assert.deepEqual([longs.nextDocWithField(1), longs.nextDocWithField(2)], [1, NO_MORE_DOCS]);
  const single = new Float64Array(2);
  longs.readRange(1, 3, single);
  assert.deepEqual([...single], [7, Number.NaN]);
  const terms = reader.ordinals('o.k')!;
  const ordinals = multiOrdinals();
  terms.readAll(docs, 4, ordinals);
  assert.deepEqual([...ordinals.starts.subarray(0, 5)], [0, 1, 3, 3, 4]);
  assert.deepEqual(
    Array.from(ordinals.values.subarray(0, 4), (ordinal) => terms.term(ordinal)),
    ['apple', 'apricot', 'pear', 'x'],
  );
  assert.deepEqual([terms.lookup('pear'), terms.lookup('plum'), terms.ranks()], [2, -1, null]);
  const [lats, lons] = [multiNumbers(), multiNumbers()];
  reader.geo('o.g')!.readAll(docs, 4, lats, lons);
  assert.deepEqual([...lats.starts.subarray(0, 5)], [0, 1, 1, 1, 3]);
  assert.deepEqual(Array.from(lats.values.subarray(0, 3), Math.round), [1, 1, 50]);
  assert.equal(reader.terms('id'), null);
});

test('segments of searches with other runtime fields have other versions', async () => {
  const plain = await memoryIndex({ mapping: {}, documents: [{}] }).searcher([[0]]);
  const version = (definition: object): string => withRuntime(plain, { f: definition }).segments[0]!.version;
  assert.equal(version({ type: 'long' }), version({ type: 'long' }));
  assert.notEqual(version({ type: 'long' }), version({ type: 'date' }));
  assert.notEqual(version({ type: 'date' }), version({ type: 'date', format: 'yyyy' }));
});

test('runtime fields that are laid anew keep nothing of what was read before', async () => {
  const { searcher, asked } = await observed();
  const field = searcher.mapping.field('o.l')!;
  const again = withRuntime(searcher);
  for (const each of [searcher, searcher, again]) each.runtime!.values(field, each.segments[0]!, 0);
  assert.deepEqual(asked, [0, 0]);
  assert.equal(again.segments[0]!.version, searcher.segments[0]!.version);
});
