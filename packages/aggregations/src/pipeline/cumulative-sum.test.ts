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

test('cumulative_sum adds the values of all buckets up to its own', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_sum: { buckets_path: 's' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 }, p: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 }, p: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -0.5 } },
          { key: 4, doc_count: 0, s: { value: 0 }, p: { value: -0.5 } },
          { key: 6, doc_count: 0, s: { value: 0 }, p: { value: -0.5 } },
          { key: 8, doc_count: 0, s: { value: 0 }, p: { value: -0.5 } },
          { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 3.5 } },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { p: { cumulative_sum: { buckets_path: '_count' } } } },
      {
        buckets: [
          { key: -4, doc_count: 1, p: { value: 1 } },
          { key: -2, doc_count: 0, p: { value: 1 } },
          { key: 0, doc_count: 1, p: { value: 2 } },
          { key: 2, doc_count: 2, p: { value: 4 } },
          { key: 4, doc_count: 0, p: { value: 4 } },
          { key: 6, doc_count: 0, p: { value: 4 } },
          { key: 8, doc_count: 0, p: { value: 4 } },
          { key: 10, doc_count: 1, p: { value: 5 } },
        ],
      },
    ],
  ]));

test('cumulative_sum passes over buckets without a value', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { a: { avg: { field: 'd' } }, p: { cumulative_sum: { buckets_path: 'a' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, a: { value: null }, p: { value: 0 } },
          { key: -2, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 0, doc_count: 1, a: { value: 0.5 }, p: { value: 0.5 } },
          { key: 2, doc_count: 2, a: { value: -0.5 }, p: { value: 0 } },
          { key: 4, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 6, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 8, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 10, doc_count: 1, a: { value: 4 }, p: { value: 4 } },
        ],
      },
    ],
  ]));

test('cumulative_sum formats its values when asked', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_sum: { buckets_path: 's', format: '0.0' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 }, p: { value: 0, value_as_string: '0.0' } },
          { key: -2, doc_count: 0, s: { value: 0 }, p: { value: 0, value_as_string: '0.0' } },
          { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0.5, value_as_string: '0.5' } },
          { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -0.5, value_as_string: '-0.5' } },
          { key: 4, doc_count: 0, s: { value: 0 }, p: { value: -0.5, value_as_string: '-0.5' } },
          { key: 6, doc_count: 0, s: { value: 0 }, p: { value: -0.5, value_as_string: '-0.5' } },
          { key: 8, doc_count: 0, s: { value: 0 }, p: { value: -0.5, value_as_string: '-0.5' } },
          { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 3.5, value_as_string: '3.5' } },
        ],
      },
    ],
  ]));

test('cumulative_sum refuses paths to nothing, unknown options and other parents', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_sum: { buckets_path: 'zz' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      { terms: { field: 'k' }, aggs: { s: { sum: { field: 'd' } }, p: { cumulative_sum: { buckets_path: 's' } } } },
      'action_request_validation_exception: Validation Failed: 1: cumulative_sum aggregation [p] must have a ' +
        'histogram, date_histogram or auto_date_histogram as parent;',
    ],
  ]));

test('cumulative_sum refuses bodies as declared fields are refused', () => {
  const below = (body: object): object => ({
    histogram: { field: 'n', interval: 2 },
    aggs: { p: { cumulative_sum: body } },
  });
  return index.refuses([
    [below({}), 'illegal_argument_exception: Required [buckets_path]'],
    [
      below({ buckets_path: 1 }),
      "x_content_parse_exception: [cumulative_sum] buckets_path doesn't support values of type: VALUE_NUMBER",
    ],
    [below({ buckets_path: 's', y: 1 }), 'x_content_parse_exception: [cumulative_sum] unknown field [y]'],
  ]);
});
