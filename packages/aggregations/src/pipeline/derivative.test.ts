import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, t: { type: 'date' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'] },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('derivative is the difference to the bucket before, the first has none', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { derivative: { buckets_path: 's' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 }, p: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 }, p: { value: -1.5 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 }, p: { value: 5 } },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { p: { derivative: { buckets_path: '_count' } } } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: -2, doc_count: 0, p: { value: -1 } },
          { key: 0, doc_count: 1, p: { value: 1 } },
          { key: 2, doc_count: 2, p: { value: 1 } },
          { key: 4, doc_count: 0, p: { value: -2 } },
          { key: 6, doc_count: 0, p: { value: 0 } },
          { key: 8, doc_count: 0, p: { value: 0 } },
          { key: 10, doc_count: 1, p: { value: 1 } },
        ],
      },
    ],
  ]));

test('derivative a unit divides by the time between buckets', () =>
  index.answers([
    [
      {
        date_histogram: { field: 't', calendar_interval: 'month' },
        aggs: { s: { sum: { field: 'd' } }, p: { derivative: { buckets_path: 's', unit: 'day' } } },
      },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2, s: { value: 4.5 } },
          {
            key_as_string: '2024-02-01T00:00:00.000Z',
            key: 1706745600000,
            doc_count: 1,
            s: { value: 1.5 },
            p: { value: -3, normalized_value: -0.0967741935483871 },
          },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0, s: { value: 0 } },
          {
            key_as_string: '2024-04-01T00:00:00.000Z',
            key: 1711929600000,
            doc_count: 2,
            s: { value: 1.5 },
            p: { value: 0, normalized_value: 0 },
          },
        ],
      },
    ],
  ]));

test('derivative treats gaps as told', () =>
  index.answers([
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { a: { avg: { field: 'd' } }, p: { derivative: { buckets_path: 'a' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, a: { value: null } },
          { key: -2, doc_count: 0, a: { value: null } },
          { key: 0, doc_count: 1, a: { value: 0.5 } },
          { key: 2, doc_count: 2, a: { value: -0.5 }, p: { value: -1 } },
          { key: 4, doc_count: 0, a: { value: null } },
          { key: 6, doc_count: 0, a: { value: null } },
          { key: 8, doc_count: 0, a: { value: null } },
          { key: 10, doc_count: 1, a: { value: 4 }, p: { value: 4.5 } },
        ],
      },
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { a: { avg: { field: 'd' } }, p: { derivative: { buckets_path: 'a', gap_policy: 'insert_zeros' } } },
      },
      {
        buckets: [
          { key: -4, doc_count: 1, a: { value: null } },
          { key: -2, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 0, doc_count: 1, a: { value: 0.5 }, p: { value: 0.5 } },
          { key: 2, doc_count: 2, a: { value: -0.5 }, p: { value: -1 } },
          { key: 4, doc_count: 0, a: { value: null }, p: { value: 0.5 } },
          { key: 6, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 8, doc_count: 0, a: { value: null }, p: { value: 0 } },
          { key: 10, doc_count: 1, a: { value: 4 }, p: { value: 4 } },
        ],
      },
    ],
  ]));

test('derivative refuses paths to nothing, unknown options and other parents', () =>
  index.refuses([
    [
      { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } }, p: { derivative: {} } } },
      'parsing_exception: Missing required field [buckets_path] for aggregation [p]',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { derivative: { buckets_path: 'zz' } } },
      },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz];',
    ],
    [
      {
        histogram: { field: 'n', interval: 2 },
        aggs: { s: { sum: { field: 'd' } }, p: { derivative: { buckets_path: 's', foo: 1 } } },
      },
      'parsing_exception: Unexpected token [foo] in [p].',
    ],
    [
      { terms: { field: 'k' }, aggs: { s: { sum: { field: 'd' } }, p: { derivative: { buckets_path: 's' } } } },
      'action_request_validation_exception: Validation Failed: 1: derivative aggregation [p] must have a ' +
        'histogram, date_histogram or auto_date_histogram as parent;',
    ],
  ]));
