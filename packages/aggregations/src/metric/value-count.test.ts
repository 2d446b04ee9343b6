import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    ip: { type: 'ip' },
    g: { type: 'geo_point' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, k: 'a', t: '2024-01-15T10:00:00Z', ip: '10.0.0.1', g: [13.4, 52.5], x: 'red fox' },
    {
      n: [2, 3],
      k: ['a', 'b'],
      t: '2024-02-01T00:00:00Z',
      ip: '10.0.0.2',
      g: [
        [13.5, 52.6],
        [2.35, 48.85],
      ],
      x: 'red dog',
    },
    { n: 3, k: 'b', t: '2024-04-30T23:30:00Z', ip: '10.0.1.7', g: [2.35, 48.85], x: 'blue fox' },
    { n: 10, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'], ip: '192.168.1.1', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green', g: [-0.12, 51.5] },
    {},
  ],
});

test('value_count counts values of any field', () =>
  index.answers([
    [{ value_count: { field: 'n' } }, { value: 6 }],
    [{ value_count: { field: 'k' } }, { value: 6 }],
    [{ value_count: { field: 't' } }, { value: 5 }],
    [{ value_count: { field: 'g' } }, { value: 5 }],
    [{ value_count: { field: 'ip' } }, { value: 4 }],
  ]));

test('value_count takes missing for documents without a value', () =>
  index.answers([
    [{ value_count: { field: 'n', missing: 1 } }, { value: 7 }],
    [{ value_count: { field: 'k', missing: 'z' } }, { value: 7 }],
    [{ value_count: { field: 'nowhere', missing: 1 } }, { value: 6 }],
  ]));

test('value_count of nothing is zero', () =>
  index.answers(
    [
      [{ value_count: { field: 'n' } }, { value: 0 }],
      [{ value_count: { field: 'nowhere' } }, { value: 0 }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('value_count counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { value_count: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 4 } },
          { key: 'b', doc_count: 2, y: { value: 3 } },
          { key: 'c', doc_count: 1, y: { value: 1 } },
        ],
      },
    ],
  ]));

test('value_count refuses text fields, unknown options and sub-aggregations', () =>
  index.refuses([
    [{ value_count: { field: 'x' } }, FIELDDATA_OF_X],
    [{ value_count: { field: 'n', size: 1 } }, 'x_content_parse_exception: [value_count] unknown field [size]'],
    [
      { value_count: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [
      { value_count: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [value_count] cannot accept sub-aggregations',
    ],
  ]));
