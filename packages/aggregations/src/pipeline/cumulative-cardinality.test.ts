import { test } from 'node:test';
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

test('cumulative_cardinality counts the values not seen in buckets before', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { c: { cardinality: { field: 'k' } }, p: { cumulative_cardinality: { buckets_path: 'c' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, c: { value: 1 }, p: { value: 1 } },
          { key: -2, doc_count: 0, c: { value: 0 }, p: { value: 1 } },
          { key: 0, doc_count: 1, c: { value: 1 }, p: { value: 1 } },
          { key: 2, doc_count: 2, c: { value: 2 }, p: { value: 2 } },
          { key: 4, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 6, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 8, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 10, doc_count: 1, c: { value: 1 }, p: { value: 3 } },
        ],
      },
    ],
  ]));

test('cumulative_cardinality formats its values when asked', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: {
          c: { cardinality: { field: 'k' } },
          p: { cumulative_cardinality: { buckets_path: 'c', format: '0.0' } },
        },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, c: { value: 1 }, p: { value: 1 } },
          { key: -2, doc_count: 0, c: { value: 0 }, p: { value: 1 } },
          { key: 0, doc_count: 1, c: { value: 1 }, p: { value: 1 } },
          { key: 2, doc_count: 2, c: { value: 2 }, p: { value: 2 } },
          { key: 4, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 6, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 8, doc_count: 0, c: { value: 0 }, p: { value: 2 } },
          { key: 10, doc_count: 1, c: { value: 1 }, p: { value: 3 } },
        ],
      },
    ],
  ]));

test('cumulative_cardinality refuses paths to other metrics, unknown options and other parents', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_cardinality: {} } },
      },
      'parsing_exception: Missing required field [buckets_path] for aggregation [p]',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_cardinality: { buckets_path: 'zz' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_cardinality: { buckets_path: 's', foo: 1 } } },
      },
      'parsing_exception: Unexpected token [foo] in [p].',
    ],
    [
      {
        terms: { field: 'k' },
        aggs: { s: { sum: { field: 'd' } }, p: { cumulative_cardinality: { buckets_path: 's' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: cumulative_cardinality aggregation [p] must ' +
        'have a histogram, date_histogram or auto_date_histogram as parent;',
    ],
  ]));
