import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    t: { type: 'text' },
    o: {
      type: 'nested',
      properties: {
        a: { type: 'keyword' },
        b: { type: 'long' },
        p: { type: 'nested', properties: { c: { type: 'long' } } },
      },
    },
    plain: { properties: { x: { type: 'long' } } },
  },
  documents: [
    {
      t: 'one',
      o: [
        { a: 'x', b: 1, p: [{ c: 1 }, { c: 2 }] },
        { a: 'y', b: 2 },
      ],
    },
    {
      t: 'two',
      o: [
        { a: 'x', b: 2 },
        { a: 'x', b: 3, p: { c: 3 } },
      ],
    },
    { t: 'three', o: { a: 'y', b: 1 } },
    { t: 'one four' },
  ],
  deleted: ['3'],
});

test('the nested objects of a document are found by its id', () =>
  index.finds([
    [{ nested: { path: 'o', query: { ids: { values: ['1', '3'] } } } }, ['1']],
    [{ nested: { path: 'o', query: { term: { _id: '2' } } } }, ['2']],
    [{ nested: { path: 'o.p', query: { ids: { values: ['2', '4'] } } } }, ['2']],
    [
      { nested: { path: 'o', query: { bool: { must: [{ ids: { values: ['1', '2'] } }, { term: { 'o.b': 3 } }] } } } },
      ['2'],
    ],
  ]));

test('nested looks for one object that matches the whole query', () =>
  index.finds([
    [{ nested: { path: 'o', query: { bool: { must: [{ term: { 'o.a': 'x' } }, { term: { 'o.b': 2 } }] } } } }, ['2']],
    [{ bool: { must: [{ term: { 'o.a': 'x' } }] } }, []],
    [{ nested: { path: 'o.p', query: { range: { 'o.p.c': { gte: 2 } } } } }, ['1', '2']],
    [{ nested: { path: 'o', query: { nested: { path: 'o.p', query: { term: { 'o.p.c': 1 } } } } } }, ['1']],
    [{ nested: { path: 'nowhere', query: { match_all: {} }, ignore_unmapped: true } }, []],
    [{ bool: { must_not: { nested: { path: 'o', query: { match_all: {} } } } } }, ['4']],
  ]));

test('nested makes the score of those of the objects as score_mode says', () =>
  index.answers([
    [
      {
        nested: {
          path: 'o',
          score_mode: 'avg',
          query: { function_score: { query: { match_all: {} }, field_value_factor: { field: 'o.b' } } },
        },
      },
      { ids: ['2', '1'], scores: [2.5, 1.5] },
    ],
    [
      {
        nested: {
          path: 'o',
          score_mode: 'sum',
          query: { function_score: { query: { match_all: {} }, field_value_factor: { field: 'o.b' } } },
        },
      },
      { ids: ['2', '1'], scores: [5, 3] },
    ],
    [
      {
        nested: {
          path: 'o',
          score_mode: 'min',
          query: { function_score: { query: { match_all: {} }, field_value_factor: { field: 'o.b' } } },
        },
      },
      { ids: ['2', '1'], scores: [2, 1] },
    ],
    [
      {
        nested: {
          path: 'o',
          score_mode: 'max',
          query: { function_score: { query: { match_all: {} }, field_value_factor: { field: 'o.b' } } },
        },
      },
      { ids: ['2', '1'], scores: [3, 2] },
    ],
    [
      {
        nested: {
          path: 'o',
          score_mode: 'none',
          query: { function_score: { query: { match_all: {} }, field_value_factor: { field: 'o.b' } } },
        },
      },
      { ids: ['1', '2'], scores: [0, 0] },
    ],
  ]));

test('nested keeps queries that may match nested documents to root documents', () =>
  index.answers([
    [
      { match_all: {} },
      { ids: ['1', '2', '4'], scores: [1, 1, 1], plan: '+*:* #FieldExistsQuery [field=_primary_term]' },
    ],
    [{ term: { t: 'one' } }, { ids: ['1', '4'], scores: [0.754913, 0.556541], plan: 't:one' }],
  ]));

test('nested refuses paths that are no nested objects', () =>
  index.refuses([
    [
      { nested: { path: 'nowhere', query: { match_all: {} } } },
      'query_shard_exception: failed to create query: [nested] failed to find nested object under path ' +
        '[nowhere] <- illegal_state_exception: [nested] failed to find nested object under path [nowhere]',
    ],
    [{ nested: { query: { match_all: {} } } }, "illegal_argument_exception: [nested] requires 'path' field"],
    [{ nested: { path: 'o' } }, "illegal_argument_exception: [nested] requires 'query' field"],
    [
      { nested: { path: 'o', query: { match_all: {} }, score_mode: 'best' } },
      'illegal_argument_exception: No score mode for child query [best] found',
    ],
    [
      { nested: { path: 'o', query: { match_all: {} }, size: 1 } },
      'parsing_exception: [nested] query does not support [size]',
    ],
  ]));

test('an unknown key without a value is passed over where 8.12 does so', () => {
  const query = { match_all: {} };
  index.refuses([
    [{ nested: { path: 'nowhere', query, x: 1 } }, 'parsing_exception: [nested] query does not support [x]'],
    [{ constant_score: { filter: query, x: null } }, 'parsing_exception: unexpected token [VALUE_NULL]'],
    [{ constant_score: { filter: query, x: [] } }, 'parsing_exception: unexpected token [START_ARRAY]'],
    [{ constant_score: { x: 1 } }, 'parsing_exception: [constant_score] query does not support [x]'],
    [{ constant_score: { filter: 1 } }, 'parsing_exception: [constant_score] query does not support [filter]'],
    [{ span_not: { exclude: [] } }, 'parsing_exception: [span_not] query does not support [exclude]'],
    [{ match: { t: { query: 'a', x: null } } }, 'parsing_exception: [match] unknown token [VALUE_NULL] after [x]'],
  ]);
  index.finds([[{ nested: { path: 'nowhere', query, ignore_unmapped: true, x: null, y: [] } }, []]]);
});

const copied = await searchFixture({
  mapping: {
    ip: { type: 'ip' },
    n: { type: 'nested', include_in_parent: true, properties: { k: { type: 'keyword' } } },
    m: { type: 'nested', include_in_root: true, properties: { k: { type: 'keyword' } } },
    p: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
  documents: [{ n: { k: 'd' }, ip: '10.0.0.1' }],
});

test('a filter on the path stands beside queries of fields that the document around has too', () => {
  const term = (path: string, ids: readonly string[], plan: string) =>
    [
      { nested: { path, query: { term: { [`${path}.k`]: 'd' } } } },
      { ids, scores: ids.map(() => 0.182322), plan },
    ] as const;
  return copied.answers([
    term('n', ['1'], 'ToParentBlockJoinQuery (+n.k:d #_nested_path:n)'),
    term('m', [], 'ToParentBlockJoinQuery (+m.k:d #_nested_path:m)'),
    term('p', [], 'ToParentBlockJoinQuery (p.k:d)'),
  ]);
});

test('of several paths the last one counts', () =>
  copied.finds([[{ nested: { path: ['x', 'n'], query: { match_all: {} } } }, ['1']]]));

test('no path in a list is none', () =>
  copied.refuses([
    [{ nested: { path: [], query: { match_all: {} } } }, "illegal_argument_exception: [nested] requires 'path' field"],
  ]));
