import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    b: { type: 'boolean' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', b: true, x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z', b: false, x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', b: true, x: 'blue fox' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'], b: false, x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('stats has count, extremes, average and sum of values', () =>
  index.answers([
    [{ stats: { field: 'n' } }, { count: 6, min: -4, max: 10, avg: 2.5, sum: 15 }],
    [{ stats: { field: 'd' } }, { count: 5, min: -2.5, max: 100, avg: 20.7, sum: 103.5 }],
    [
      { stats: { field: 't' } },
      {
        count: 5,
        min: 1705312800000,
        max: 1714519800000,
        avg: 1709266320000,
        sum: 8546331600000,
        min_as_string: '2024-01-15T10:00:00.000Z',
        max_as_string: '2024-04-30T23:30:00.000Z',
        avg_as_string: '2024-03-01T04:12:00.000Z',
        sum_as_string: '2240-10-27T21:00:00.000Z',
      },
    ],
  ]));

test('stats takes missing for documents without a value', () =>
  index.answers([
    [{ stats: { field: 'n', missing: 10 } }, { count: 7, min: -4, max: 10, avg: 3.5714285714285716, sum: 25 }],
  ]));

test('stats of nothing have a count and a sum of zero', () =>
  index.answers(
    [
      [{ stats: { field: 'n' } }, { count: 0, min: null, max: null, avg: null, sum: 0 }],
      [{ stats: { field: 'nowhere' } }, { count: 0, min: null, max: null, avg: null, sum: 0 }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('stats format their values when asked', () =>
  index.answers([
    [
      { stats: { field: 'n', format: '0.00' } },
      {
        count: 6,
        min: -4,
        max: 10,
        avg: 2.5,
        sum: 15,
        min_as_string: '-4.00',
        max_as_string: '10.00',
        avg_as_string: '2.50',
        sum_as_string: '15.00',
      },
    ],
  ]));

test('stats count by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { stats: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { count: 4, min: -4, max: 3, avg: 0.5, sum: 2 } },
          { key: 'b', doc_count: 2, y: { count: 3, min: 2, max: 3, avg: 2.6666666666666665, sum: 8 } },
          { key: 'c', doc_count: 1, y: { count: 1, min: 10, max: 10, avg: 10, sum: 10 } },
        ],
      },
    ],
  ]));

test('stats refuse fields that are no numbers, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { stats: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [stats]',
    ],
    [{ stats: { field: 'x' } }, FIELDDATA_OF_X],
    [{ stats: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ stats: { field: 'n', size: 1 } }, 'x_content_parse_exception: [stats] unknown field [size]'],
    [{ stats: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { stats: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [stats] cannot accept sub-aggregations',
    ],
  ]));
