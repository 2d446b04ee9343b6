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

test('serial_diff subtracts the value of a bucket that many before', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { serial_diff: { buckets_path: 's', lag: 1 } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -1.5 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 } },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { p: { serial_diff: { buckets_path: '_count', lag: 3 } } } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: -2, doc_count: 0 },
          { key: 0, doc_count: 1 },
          { key: 2, doc_count: 2, p: { value: 1 } },
          { key: 4, doc_count: 0, p: { value: 0 } },
          { key: 6, doc_count: 0, p: { value: -1 } },
          { key: 8, doc_count: 0, p: { value: -2 } },
          { key: 10, doc_count: 1, p: { value: 1 } },
        ],
      },
    ],
  ]));

test('serial_diff looks one bucket back unless told, and formats when asked', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { serial_diff: { buckets_path: 's', format: '0.0' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -1.5, value_as_string: '-1.5' } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 } },
        ],
      },
    ],
  ]));

test('serial_diff refuses a lag of zero, paths to nothing, unknown options and other parents', () =>
  index.refuses([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { serial_diff: { buckets_path: 'zz' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      { terms: { field: 'k' }, aggs: { s: { sum: { field: 'd' } }, p: { serial_diff: { buckets_path: 's' } } } },
      'action_request_validation_exception: Validation Failed: 1: serial_diff aggregation [p] must have a ' +
        'histogram, date_histogram or auto_date_histogram as parent;',
    ],
  ]));
