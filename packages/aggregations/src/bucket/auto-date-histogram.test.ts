import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers follow the reference of 8.12. */
const index = await aggregationFixture({
  mapping: { d: { type: 'double' }, k: { type: 'keyword' }, t: { type: 'date' } },
  documents: [
    { d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z' },
    { d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z' },
    { d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z' },
    { d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'] },
    { k: 'a' },
    { d: 100 },
  ],
});

test('auto_date_histogram takes the smallest interval with no more buckets than asked', () =>
  index.answers([
    [
      { auto_date_histogram: { field: 't', buckets: 4 } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
        interval: '1M',
      },
    ],
    [
      { auto_date_histogram: { field: 't', buckets: 2, format: 'yyyy-MM-dd' } },
      {
        buckets: [
          { key_as_string: '2024-01-01', key: 1704067200000, doc_count: 3 },
          { key_as_string: '2024-04-01', key: 1711929600000, doc_count: 2 },
        ],
        interval: '3M',
      },
    ],
    [
      { auto_date_histogram: { field: 't', buckets: 10, minimum_interval: 'month' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
        interval: '1M',
      },
    ],
  ]));

test('auto_date_histogram has metrics and missing', () =>
  index.answers([
    [
      { auto_date_histogram: { field: 't', buckets: 3 }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 3, y: { value: 2 } },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2, y: { value: 0.75 } },
        ],
        interval: '3M',
      },
    ],
    [
      { auto_date_histogram: { field: 't', buckets: 5, missing: '2024-02-15' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 3 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
        interval: '1M',
      },
    ],
  ]));

test('auto_date_histogram of nothing has no buckets', () =>
  index.answers([[{ auto_date_histogram: { field: 't', buckets: 4 } }, { buckets: [], interval: '1s' }]], {
    query: { term: { k: 'none' } },
  }));

test('auto_date_histogram refuses no buckets, unknown intervals, options and other fields', () =>
  index.refuses([
    [
      { auto_date_histogram: { field: 't', buckets: 0 } },
      'x_content_parse_exception: [auto_date_histogram] failed to parse field [buckets] <- ' +
        'illegal_argument_exception: [numBuckets] must be greater than 0. Found [0] in [x]',
    ],
    [
      { auto_date_histogram: { field: 't', minimum_interval: 'week' } },
      'x_content_parse_exception: [auto_date_histogram] failed to parse field [minimum_interval] <- ' +
        'illegal_argument_exception: minimum_interval must be one of [second, minute, hour, day, month, year] but ' +
        'was: week',
    ],
    [
      { auto_date_histogram: { field: 't', foo: 1 } },
      'x_content_parse_exception: [auto_date_histogram] unknown field [foo]',
    ],
    [
      { auto_date_histogram: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation ' +
        '[auto_date_histogram]',
    ],
  ]));
