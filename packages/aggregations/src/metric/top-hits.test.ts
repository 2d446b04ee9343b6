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

test('top_hits has the best documents of each bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { y: { top_hits: { size: 1, sort: [{ d: 'desc' }] } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          {
            key: 'a',
            doc_count: 3,
            y: {
              hits: {
                total: { value: 3, relation: 'eq' },
                max_score: null,
                hits: [{ _id: '2', _score: null, _source: { n: [2, 3], d: 1.5, k: ['a', 'b'] }, sort: [1.5] }],
              },
            },
          },
          {
            key: 'b',
            doc_count: 2,
            y: {
              hits: {
                total: { value: 2, relation: 'eq' },
                max_score: null,
                hits: [{ _id: '2', _score: null, _source: { n: [2, 3], d: 1.5, k: ['a', 'b'] }, sort: [1.5] }],
              },
            },
          },
        ],
      },
    ],
  ]));

test('top_hits sorts by several keys, ascending unless told otherwise', () =>
  index.answers([
    [
      { top_hits: { size: 3, sort: ['k', { n: { order: 'desc' } }] } },
      {
        hits: {
          total: { value: 6, relation: 'eq' },
          max_score: null,
          hits: [
            { _id: '2', _score: null, _source: { n: [2, 3], d: 1.5, k: ['a', 'b'] }, sort: ['a', 3] },
            { _id: '1', _score: null, _source: { n: 1, d: 0.5, k: 'a' }, sort: ['a', 1] },
            { _id: '5', _score: null, _source: { n: -4, k: 'a' }, sort: ['a', -4] },
          ],
        },
      },
    ],
  ]));

test('top_hits skips the first ones', () =>
  index.answers([
    [
      { top_hits: { from: 1, size: 2, sort: [{ n: 'asc' }] } },
      {
        hits: {
          total: { value: 6, relation: 'eq' },
          max_score: null,
          hits: [
            { _id: '1', _score: null, _source: { n: 1, d: 0.5, k: 'a' }, sort: [1] },
            { _id: '2', _score: null, _source: { n: [2, 3], d: 1.5, k: ['a', 'b'] }, sort: [2] },
          ],
        },
      },
    ],
  ]));

test('top_hits of nothing has a total of zero', () =>
  index.answers([[{ top_hits: {} }, { hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] } }]], {
    query: { term: { k: 'none' } },
  }));

test('top_hits orders by score without a sort', () =>
  index.answers(
    [
      [
        { top_hits: { size: 2 } },
        {
          hits: {
            total: { value: 1, relation: 'eq' },
            max_score: 2,
            hits: [{ _id: '4', _score: 2, _source: { n: 10, d: 4, k: 'c' } }],
          },
        },
      ],
    ],
    { query: { constant_score: { filter: { term: { k: 'c' } }, boost: 2 } } },
  ));

test('top_hits refuses windows too large, negative sizes and unknown keys', () =>
  index.refuses([
    [
      { top_hits: { size: 101 } },
      "illegal_argument_exception: Top hits result window is too large, the top hits aggregator [x]'s from + " +
        'size must be less than or equal to: [100] but was [101]. This limit can be set by changing the ' +
        '[index.max_inner_result_window] index level setting.',
    ],
    [
      { top_hits: { size: -1 } },
      'illegal_argument_exception: [size] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { top_hits: { from: -1 } },
      'illegal_argument_exception: [from] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [{ top_hits: { foo: 1 } }, 'parsing_exception: Unknown key for a VALUE_NUMBER in [foo].'],
    [
      { top_hits: {}, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [top_hits] cannot accept sub-aggregations',
    ],
  ]));
