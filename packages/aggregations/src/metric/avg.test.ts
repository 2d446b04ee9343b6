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

test('avg divides by values, not by documents', () =>
  index.answers([
    [{ avg: { field: 'n' } }, { value: 2.5 }],
    [{ avg: { field: 'd' } }, { value: 20.7 }],
    [{ avg: { field: 'b' } }, { value: 0.5, value_as_string: 'true' }],
    [{ avg: { field: 't' } }, { value: 1709266320000, value_as_string: '2024-03-01T04:12:00.000Z' }],
  ]));

test('avg takes missing for documents without a value', () =>
  index.answers([
    [{ avg: { field: 'n', missing: 10 } }, { value: 3.5714285714285716 }],
    [{ avg: { field: 'nowhere', missing: 4 } }, { value: 4 }],
    [
      { avg: { field: 't', missing: '2024-01-02' } },
      { value: 1707805542857.1428, value_as_string: '2024-02-13T06:25:42.857Z' },
    ],
  ]));

test('avg of nothing is null', () =>
  index.answers(
    [
      [{ avg: { field: 'n' } }, { value: null }],
      [{ avg: { field: 'nowhere' } }, { value: null }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('avg formats its value when asked', () =>
  index.answers([
    [{ avg: { field: 'n', format: '0.00' } }, { value: 2.5, value_as_string: '2.50' }],
    [{ avg: { field: 't', format: 'yyyy/MM/dd' } }, { value: 1709266320000, value_as_string: '2024/03/01' }],
  ]));

test('avg counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k' }, aggs: { y: { avg: { field: 'd' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 1 } },
          { key: 'b', doc_count: 2, y: { value: -0.5 } },
          { key: 'c', doc_count: 1, y: { value: 4 } },
        ],
      },
    ],
  ]));

test('avg refuses fields that are no numbers, unknown options and sub-aggregations', () =>
  index.refuses([
    [
      { avg: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [avg]',
    ],
    [{ avg: { field: 'x' } }, FIELDDATA_OF_X],
    [{ avg: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
    [{ avg: { field: 'n', size: 1 } }, 'x_content_parse_exception: [avg] unknown field [size]'],
    [{ avg: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { avg: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [avg] cannot accept sub-aggregations',
    ],
  ]));
