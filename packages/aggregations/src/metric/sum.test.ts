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

test('sum adds all values of a document', () =>
  index.answers([
    [{ sum: { field: 'n' } }, { value: 15 }],
    [{ sum: { field: 'd' } }, { value: 103.5 }],
    [{ sum: { field: 'b' } }, { value: 2, value_as_string: 'true' }],
    [{ sum: { field: 't' } }, { value: 8546331600000, value_as_string: '2240-10-27T21:00:00.000Z' }],
  ]));

test('sum takes missing for documents without a value', () =>
  index.answers([
    [{ sum: { field: 'n', missing: 10 } }, { value: 25 }],
    [{ sum: { field: 'nowhere', missing: 4 } }, { value: 24 }],
  ]));

test('sum of nothing is zero', () =>
  index.answers(
    [
      [{ sum: { field: 'n' } }, { value: 0 }],
      [{ sum: { field: 'nowhere' } }, { value: 0 }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('sum formats its value when asked', () =>
  index.answers([
    [{ sum: { field: 'n', format: '#,##0.0' } }, { value: 15, value_as_string: '15.0' }],
    [{ sum: { field: 'd', format: '0.000' } }, { value: 103.5, value_as_string: '103.500' }],
  ]));

test('sum adds by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { sum: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 2 } },
          { key: 'b', doc_count: 2, y: { value: 8 } },
          { key: 'c', doc_count: 1, y: { value: 10 } },
        ],
      },
    ],
  ]));

test('sum refuses fields that are no numbers, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { sum: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [sum]',
    ],
    [{ sum: { field: 'x' } }, FIELDDATA_OF_X],
    [{ sum: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ sum: { field: 'n', size: 1 } }, 'x_content_parse_exception: [sum] unknown field [size]'],
    [{ sum: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { sum: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [sum] cannot accept sub-aggregations',
    ],
  ]));
