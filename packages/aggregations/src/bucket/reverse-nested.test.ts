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

test('reverse_nested counts the documents around nested ones once each', () =>
  index.answers([
    [
      { nested: { path: 'u' }, aggs: { z: { reverse_nested: {}, aggs: { y: { sum: { field: 'n' } } } } } },
      { doc_count: 4, z: { doc_count: 3, y: { value: 16 } } },
    ],
    [
      {
        nested: { path: 'u' },
        aggs: {
          w: { terms: { field: 'u.w' }, aggs: { z: { reverse_nested: {}, aggs: { y: { terms: { field: 'k' } } } } } },
        },
      },
      {
        doc_count: 4,
        w: {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            {
              key: 'p',
              doc_count: 2,
              z: {
                doc_count: 2,
                y: {
                  doc_count_error_upper_bound: 0,
                  sum_other_doc_count: 0,
                  buckets: [
                    { key: 'a', doc_count: 2 },
                    { key: 'b', doc_count: 1 },
                  ],
                },
              },
            },
            {
              key: 'q',
              doc_count: 1,
              z: {
                doc_count: 1,
                y: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: 1 }] },
              },
            },
          ],
        },
      },
    ],
  ]));

test('reverse_nested of nothing counts zero', () =>
  index.answers(
    [
      [
        { nested: { path: 'u' }, aggs: { z: { reverse_nested: {} } } },
        { doc_count: 0, z: { doc_count: 0 } },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('reverse_nested refuses a place outside of nested, unknown paths and options', () =>
  index.refuses([
    [
      { reverse_nested: {} },
      'illegal_argument_exception: Reverse nested aggregation [x] can only be used inside a [nested] aggregation',
    ],
  ]));
