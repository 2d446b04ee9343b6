import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAggregations } from '../parse/parse-tree.js';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'a' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'] },
    { n: 3, d: -2.5, k: 'b' },
    { n: 10, d: 4, k: 'c' },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('adjacency_matrix counts documents of each filter and of each pair', () =>
  index.answers([
    [
      {
        adjacency_matrix: {
          filters: { one: { term: { k: 'a' } }, two: { range: { n: { gt: 1 } } }, three: { term: { k: 'c' } } },
        },
      },
      {
        buckets: [
          { key: 'one', doc_count: 3 },
          { key: 'one&two', doc_count: 1 },
          { key: 'three', doc_count: 1 },
          { key: 'three&two', doc_count: 1 },
          { key: 'two', doc_count: 3 },
        ],
      },
    ],
    [
      {
        adjacency_matrix: { filters: { one: { term: { k: 'a' } }, two: { term: { k: 'b' } } }, separator: '+' },
        aggs: { y: { avg: { field: 'd' } } },
      },
      {
        buckets: [
          { key: 'one', doc_count: 3, y: { value: 1 } },
          { key: 'one+two', doc_count: 1, y: { value: 1.5 } },
          { key: 'two', doc_count: 2, y: { value: -0.5 } },
        ],
      },
    ],
  ]));

test('many filters are known to take long for a document, so that the first turn has few documents', () => {
  const isSlow = (count: number) => {
    const filters = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { match_all: {} }]));
    const aggs = { k: { terms: { field: 'k' }, aggs: { a: { adjacency_matrix: { filters } } } } };
    return parseAggregations(aggs, { aggs }, { maxNestedDepth: 30, allowExpensiveQueries: true }).isSlow;
  };
  assert.equal(isSlow(16), false);
  assert.equal(isSlow(17), true);
});

test('adjacency_matrix of nothing has no buckets', () =>
  index.answers([[{ adjacency_matrix: { filters: { one: { term: { k: 'a' } } } } }, { buckets: [] }]], {
    query: { term: { k: 'none' } },
  }));

test('adjacency_matrix refuses unknown queries and options', () =>
  index.refuses([
    [
      { adjacency_matrix: { filters: { one: { foo: {} } } } },
      'parsing_exception: unknown query [foo] <- named_object_not_found_exception: unknown field [foo]',
    ],
    [
      { adjacency_matrix: { filters: { one: { term: { k: 'a' } } }, foo: 1 } },
      'x_content_parse_exception: [adjacency_matrix] unknown field [foo]',
    ],
    [{ adjacency_matrix: {} }, 'illegal_argument_exception: [filters] cannot be empty.'],
  ]));
