import { test } from 'node:test';
import { aggregationFixture, FIELDDATA_OF_X } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, x: { type: 'text' } },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('median_absolute_deviation is the median of the distances to the median', () =>
  index.answers([
    [{ median_absolute_deviation: { field: 'n' } }, { value: 1 }],
    [{ median_absolute_deviation: { field: 'd' } }, { value: 2.5 }],
  ]));

test('median_absolute_deviation takes missing for documents without a value', () =>
  index.answers([[{ median_absolute_deviation: { field: 'n', missing: 10 } }, { value: 2 }]]));

test('median_absolute_deviation of nothing is null, of one value zero', () =>
  index.answers([[{ median_absolute_deviation: { field: 'nowhere' } }, { value: null }]]));

test('median_absolute_deviation of one value is zero', () =>
  index.answers([[{ median_absolute_deviation: { field: 'n' } }, { value: 0 }]], { query: { term: { k: 'c' } } }));

test('median_absolute_deviation counts by bucket', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 2 }, aggs: { y: { median_absolute_deviation: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 1 } },
          { key: 'b', doc_count: 2, y: { value: 0 } },
        ],
      },
    ],
  ]));

test('median_absolute_deviation refuses a compression of zero and fields that are no numbers', () =>
  index.refuses([
    [
      { median_absolute_deviation: { field: 'n', compression: 0 } },
      'x_content_parse_exception: [median_absolute_deviation] failed to parse field [compression] <- ' +
        'illegal_argument_exception: [compression] must be greater than 0. Found [0.0] in [x]',
    ],
    [
      { median_absolute_deviation: { field: 'k' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation ' +
        '[median_absolute_deviation]',
    ],
    [{ median_absolute_deviation: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { median_absolute_deviation: {} },
      'illegal_argument_exception: Required one of fields [field, script], but none were specified. ',
    ],
    [
      { median_absolute_deviation: { field: 'n', size: 1 } },
      'x_content_parse_exception: [median_absolute_deviation] unknown field [size]',
    ],
    [{ median_absolute_deviation: { field: 'n', missing: 'x' } }, 'number_format_exception: For input string: "x"'],
    [
      { median_absolute_deviation: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } },
      'aggregation_initialization_exception: Aggregator [x] of type [median_absolute_deviation] cannot accept ' +
        'sub-aggregations',
    ],
  ]));
