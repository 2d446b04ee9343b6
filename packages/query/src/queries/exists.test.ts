import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    k: { type: 'keyword' },
    t: { type: 'text' },
    n: { type: 'long' },
    x: { type: 'keyword', doc_values: false },
    c: { type: 'completion' },
    h: { type: 'keyword', index: false },
    o: { properties: { a: { type: 'long' }, b: { type: 'text', norms: false } } },
  },
  documents: [
    { k: 'a', n: 1, o: { a: 1 } },
    { t: 'a', k: null, h: 'v' },
    { n: [], x: 'v', o: { b: 'w' }, c: '' },
    { k: [null, 'b'], c: 'word' },
    { c: [] },
    { c: null },
  ],
});

test('exists finds documents with a value, each with the score 1', () =>
  index.answers([
    [
      { exists: { field: 'k' } },
      { ids: ['1', '4'], scores: [1, 1], plan: 'ConstantScore(FieldExistsQuery [field=k])' },
    ],
    [
      { exists: { field: 't', boost: 2 } },
      { ids: ['2'], scores: [2], plan: '(ConstantScore(FieldExistsQuery [field=t]))^2.0' },
    ],
  ]));

test('exists knows fields without column or norms, and columns without index', () =>
  index.finds([
    [{ exists: { field: 'x' } }, ['3']],
    [{ exists: { field: 'c' } }, ['3', '4', '5']],
    [{ exists: { field: 'h' } }, ['2']],
    [{ exists: { field: 'o.b' } }, ['3']],
    [{ exists: { field: 'n' } }, ['1']],
  ]));

test('exists on an object or a pattern asks for any field below it', () =>
  index.finds([
    [{ exists: { field: 'o' } }, ['1', '3']],
    [{ exists: { field: 'o.*' } }, ['1', '3']],
    [{ exists: { field: 'nowhere' } }, []],
    [{ exists: { field: '_id' } }, ['1', '2', '3', '4', '5', '6']],
  ]));

test('exists on a field that is not there says so', () =>
  index.answers([
    [
      { exists: { field: 'nowhere' } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("The "exists" query was rewritten to a "match_none" query.")' },
    ],
  ]));

test('exists needs a field', () =>
  index.refuses([
    [{ exists: {} }, 'parsing_exception: [exists] must be provided with a [field]'],
    [{ exists: { field: ['k'] } }, 'parsing_exception: [exists] unknown token [START_ARRAY] after [field]'],
    [{ exists: { field: '_source' } }, 'query_shard_exception: The _source field is not searchable'],
    [{ exists: { field: 'k', value: 1 } }, 'parsing_exception: [exists] query does not support [value]'],
    [{ exists: { fields: 'k' } }, 'parsing_exception: [exists] query does not support [fields]'],
  ]));

test('exists on an object finds copies of its nested fields in the root', async () => {
  const copied = await searchFixture({
    mapping: {
      n: { type: 'nested', include_in_root: true, properties: { k: { type: 'keyword' } } },
      m: { type: 'nested', properties: { k: { type: 'keyword' } } },
    },
    documents: [{ n: { k: 'x' } }, { m: { k: 'x' } }],
  });
  copied.finds([
    [{ nested: { path: 'm', query: { exists: { field: 'm' } } } }, ['2']],
    [{ bool: { filter: [{ exists: { field: 'n' } }, { ids: { values: ['1', '2'] } }] } }, ['1']],
  ]);
});
