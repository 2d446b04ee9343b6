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

test('min and max look at all values of a document', () =>
  index.answers([
    [{ min: { field: 'n' } }, { value: -4 }],
    [{ max: { field: 'n' } }, { value: 10 }],
    [{ min: { field: 'd' } }, { value: -2.5 }],
    [{ max: { field: 'd' } }, { value: 100 }],
    [{ min: { field: 't' } }, { value: 1705312800000, value_as_string: '2024-01-15T10:00:00.000Z' }],
    [{ max: { field: 't' } }, { value: 1714519800000, value_as_string: '2024-04-30T23:30:00.000Z' }],
    [{ min: { field: 'b' } }, { value: 0, value_as_string: 'false' }],
    [{ max: { field: 'b' } }, { value: 1, value_as_string: 'true' }],
  ]));

test('min and max take missing for documents without a value', () =>
  index.answers([
    [{ min: { field: 'n', missing: -10 } }, { value: -10 }],
    [{ max: { field: 'n', missing: 50 } }, { value: 50 }],
    [{ max: { field: 'nowhere', missing: 4 } }, { value: 4 }],
    [{ min: { field: 'n', missing: 5 } }, { value: -4 }],
  ]));

test('min and max of nothing are null', () =>
  index.answers(
    [
      [{ min: { field: 'n' } }, { value: null }],
      [{ max: { field: 'n' } }, { value: null }],
      [{ min: { field: 'nowhere' } }, { value: null }],
      [{ max: { field: 'nowhere' } }, { value: null }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('min and max format their value when asked', () =>
  index.answers([
    [{ min: { field: 'n', format: '0.0' } }, { value: -4, value_as_string: '-4.0' }],
    [{ max: { field: 't', format: 'yyyy' } }, { value: 1714519800000, value_as_string: '2024' }],
  ]));

test('min and max are found by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { max: { field: 'n' } }, z: { min: { field: 'd' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 3 }, z: { value: 0.5 } },
          { key: 'b', doc_count: 2, y: { value: 3 }, z: { value: -2.5 } },
          { key: 'c', doc_count: 1, y: { value: 10 }, z: { value: 4 } },
        ],
      },
    ],
  ]));

test('min and max refuse fields that are no numbers, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { min: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [min]',
    ],
    [{ min: { field: 'x' } }, FIELDDATA_OF_X],
    [{ min: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ min: { field: 'n', size: 1 } }, 'x_content_parse_exception: [min] unknown field [size]'],
    [{ min: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { min: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [min] cannot accept sub-aggregations',
    ],
    [
      { max: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [max]',
    ],
    [{ max: { field: 'x' } }, FIELDDATA_OF_X],
    [{ max: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ max: { field: 'n', size: 1 } }, 'x_content_parse_exception: [max] unknown field [size]'],
    [{ max: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { max: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [max] cannot accept sub-aggregations',
    ],
  ]));
