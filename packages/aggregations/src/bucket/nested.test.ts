import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    k: { type: 'keyword' },
    u: { type: 'nested', properties: { v: { type: 'long' }, w: { type: 'keyword' } } },
  },
  documents: [
    {
      n: 1,
      k: 'a',
      u: [
        { v: 1, w: 'p' },
        { v: 2, w: 'q' },
      ],
    },
    { n: [2, 3], k: ['a', 'b'], u: { v: 5, w: 'p' } },
    { n: 3, k: 'b' },
    { n: 10, k: 'c', u: [{ v: 7 }] },
    { n: -4, k: 'a' },
    {},
  ],
});

test('nested counts nested documents', () =>
  index.answers([
    [{ nested: { path: 'u' } }, { doc_count: 4 }],
    [
      { nested: { path: 'u' }, aggs: { y: { sum: { field: 'u.v' } }, z: { terms: { field: 'u.w' } } } },
      {
        doc_count: 4,
        y: { value: 15 },
        z: {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            { key: 'p', doc_count: 2 },
            { key: 'q', doc_count: 1 },
          ],
        },
      },
    ],
  ]));

test('nested counts those of matching documents', () =>
  index.answers(
    [
      [
        { nested: { path: 'u' }, aggs: { y: { max: { field: 'u.v' } } } },
        { doc_count: 1, y: { value: 5 } },
      ],
    ],
    { query: { term: { k: 'b' } } },
  ));

test('nested counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { z: { nested: { path: 'u' }, aggs: { y: { sum: { field: 'u.v' } } } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, z: { doc_count: 3, y: { value: 8 } } },
          { key: 'b', doc_count: 2, z: { doc_count: 1, y: { value: 5 } } },
          { key: 'c', doc_count: 1, z: { doc_count: 1, y: { value: 7 } } },
        ],
      },
    ],
  ]));

test('nested of nothing and of no path counts zero', () =>
  index.answers([[{ nested: { path: 'nowhere' } }, { doc_count: 0 }]]));

test('nested of no documents counts zero', () =>
  index.answers([[{ nested: { path: 'u' } }, { doc_count: 0 }]], { query: { term: { k: 'none' } } }));

test('the documents of a filter by ids are nested ones below nested', () =>
  index.answers([
    [
      { nested: { path: 'u' }, aggs: { y: { filter: { ids: { values: ['1', '2'] } } } } },
      { doc_count: 4, y: { doc_count: 3 } },
    ],
  ]));
