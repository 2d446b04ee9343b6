import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
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

test('filter counts the documents that match', () =>
  index.answers([
    [{ filter: { term: { k: 'a' } } }, { doc_count: 3 }],
    [
      { filter: { range: { n: { gt: 2 } } }, aggs: { y: { avg: { field: 'd' } } } },
      { doc_count: 3, y: { value: 1 } },
    ],
    [{ filter: { bool: { must_not: { exists: { field: 'k' } } } } }, { doc_count: 1 }],
  ]));

test('filter counts what matches the query too', () =>
  index.answers([[{ filter: { term: { k: 'a' } } }, { doc_count: 2 }]], { query: { range: { n: { gte: 1 } } } }));

test('filter of nothing counts zero', () =>
  index.answers(
    [
      [
        { filter: { term: { k: 'a' } }, aggs: { y: { avg: { field: 'd' } } } },
        { doc_count: 0, y: { value: null } },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('filter counts by bucket', () =>
  index.answers([
    [
      {
        terms: { field: 'k' },
        aggs: { z: { filter: { range: { n: { gt: 1 } } }, aggs: { y: { avg: { field: 'd' } } } } },
      },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, z: { doc_count: 1, y: { value: 1.5 } } },
          { key: 'b', doc_count: 2, z: { doc_count: 2, y: { value: -0.5 } } },
          { key: 'c', doc_count: 1, z: { doc_count: 1, y: { value: 4 } } },
        ],
      },
    ],
  ]));

test('filter refuses queries that are none', () =>
  index.refuses([
    [
      { filter: { foo: {} } },
      'parsing_exception: unknown query [foo] <- named_object_not_found_exception: unknown field [foo]',
    ],
    [{ filter: { range: { n: { foo: 1 } } } }, 'parsing_exception: [range] query does not support [foo]'],
  ]));
