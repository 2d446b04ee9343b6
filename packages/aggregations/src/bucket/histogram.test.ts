import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    x: { type: 'text' },
    r: { type: 'integer_range' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', x: 'red fox', r: { gte: 1, lt: 5 } },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], x: 'red dog', r: { gt: 4, lte: 8 } },
    { n: 3, d: -2.5, k: 'b', x: 'blue fox', r: { gte: 10 } },
    { n: 10, d: 4, k: 'c', x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('hard bounds hold for keys without their offset', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 5, offset: 1, hard_bounds: { min: 0, max: 5 } } },
      {
        buckets: [
          { key: 1, doc_count: 3 },
          { key: 6, doc_count: 1 },
        ],
      },
    ],
    [{ histogram: { field: 'n', interval: 5, hard_bounds: { min: 3 } } }, { buckets: [{ key: 10, doc_count: 1 }] }],
  ]));

test('sums of buckets without documents have the format of the field', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 5 }, aggs: { s: { sum: { field: 'n', format: '0.0' } } } },
      {
        buckets: [
          { key: -5, doc_count: 1, s: { value: -4, value_as_string: '-4.0' } },
          { key: 0, doc_count: 3, s: { value: 9, value_as_string: '9.0' } },
          { key: 5, doc_count: 0, s: { value: 0, value_as_string: '0.0' } },
          { key: 10, doc_count: 1, s: { value: 10, value_as_string: '10.0' } },
        ],
      },
    ],
  ]));

test('histogram counts documents by interval, empty buckets between included', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 2 } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: -2, doc_count: 0 },
          { key: 0, doc_count: 1 },
          { key: 2, doc_count: 2 },
          { key: 4, doc_count: 0 },
          { key: 6, doc_count: 0 },
          { key: 8, doc_count: 0 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
    [
      { histogram: { field: 'd', interval: 50 } },
      {
        buckets: [
          { key: -50, doc_count: 1 },
          { key: 0, doc_count: 3 },
          { key: 50, doc_count: 0 },
          { key: 100, doc_count: 1 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 5, offset: 1 } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: 1, doc_count: 3 },
          { key: 6, doc_count: 1 },
        ],
      },
    ],
  ]));

test('histogram has metrics below each bucket', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 10 }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key: -10, doc_count: 1, y: { value: null } },
          { key: 0, doc_count: 3, y: { value: -0.16666666666666666 } },
          { key: 10, doc_count: 1, y: { value: 4 } },
        ],
      },
    ],
  ]));

test('histogram leaves out buckets below min_doc_count', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 2, min_doc_count: 1 } },
      {
        buckets: [
          { key: -4, doc_count: 1 },
          { key: 0, doc_count: 1 },
          { key: 2, doc_count: 2 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
    [{ histogram: { field: 'n', interval: 2, min_doc_count: 2 } }, { buckets: [{ key: 2, doc_count: 2 }] }],
  ]));

test('histogram widens to its bounds or stays inside of them', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 5, extended_bounds: { min: -10, max: 15 } } },
      {
        buckets: [
          { key: -10, doc_count: 0 },
          { key: -5, doc_count: 1 },
          { key: 0, doc_count: 3 },
          { key: 5, doc_count: 0 },
          { key: 10, doc_count: 1 },
          { key: 15, doc_count: 0 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 2, hard_bounds: { min: 0, max: 4 } } },
      {
        buckets: [
          { key: 0, doc_count: 1 },
          { key: 2, doc_count: 2 },
        ],
      },
    ],
  ]));

test('histogram orders by key, count and metrics', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 5, order: { _key: 'desc' } } },
      {
        buckets: [
          { key: 10, doc_count: 1 },
          { key: 5, doc_count: 0 },
          { key: 0, doc_count: 3 },
          { key: -5, doc_count: 1 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 5, order: { _count: 'desc' } } },
      {
        buckets: [
          { key: 0, doc_count: 3 },
          { key: -5, doc_count: 1 },
          { key: 10, doc_count: 1 },
          { key: 5, doc_count: 0 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 10, order: { y: 'desc' } }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key: -10, doc_count: 1, y: { value: null } },
          { key: 10, doc_count: 1, y: { value: 4 } },
          { key: 0, doc_count: 3, y: { value: -0.16666666666666666 } },
        ],
      },
    ],
  ]));

test('histogram takes missing, keys and formats', () =>
  index.answers([
    [
      { histogram: { field: 'n', interval: 10, missing: 3 } },
      {
        buckets: [
          { key: -10, doc_count: 1 },
          { key: 0, doc_count: 4 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 10, keyed: true } },
      {
        buckets: {
          '-10.0': { key: -10, doc_count: 1 },
          '0.0': { key: 0, doc_count: 3 },
          '10.0': { key: 10, doc_count: 1 },
        },
      },
    ],
    [
      { histogram: { field: 'n', interval: 10, format: '0.0' } },
      {
        buckets: [
          { key_as_string: '-10.0', key: -10, doc_count: 1 },
          { key_as_string: '0.0', key: 0, doc_count: 3 },
          { key_as_string: '10.0', key: 10, doc_count: 1 },
        ],
      },
    ],
    [
      { histogram: { field: 'n', interval: 10, keyed: true, format: '0.00' } },
      {
        buckets: {
          '-10.00': { key_as_string: '-10.00', key: -10, doc_count: 1 },
          '0.00': { key_as_string: '0.00', key: 0, doc_count: 3 },
          '10.00': { key_as_string: '10.00', key: 10, doc_count: 1 },
        },
      },
    ],
  ]));

test('histogram counts ranges in every bucket that they touch', () =>
  index.answers(
    [
      [
        { histogram: { field: 'r', interval: 5 } },
        {
          buckets: [
            { key: 0, doc_count: 1 },
            { key: 5, doc_count: 1 },
          ],
        },
      ],
    ],
    { query: { terms: { k: ['a'] } } },
  ));

test('histogram of nothing has no buckets', () =>
  index.answers([[{ histogram: { field: 'n', interval: 2 } }, { buckets: [] }]], { query: { term: { k: 'none' } } }));

test('histogram of no field has no buckets', () =>
  index.answers([
    [{ histogram: { field: 'nowhere', interval: 2 } }, { buckets: [] }],
    [{ histogram: { field: 'nowhere', interval: 2, missing: 3 } }, { buckets: [{ key: 2, doc_count: 6 }] }],
  ]));

test('histogram refuses intervals that are none, bounds the wrong way and other fields', () =>
  index.refuses([
    [
      { histogram: { field: 'n', interval: 0 } },
      'x_content_parse_exception: [histogram] failed to parse field [interval] <- illegal_argument_exception: ' +
        '[interval] must be >0 for histogram aggregation [x]',
    ],
    [
      { histogram: { field: 'n', interval: -1 } },
      'x_content_parse_exception: [histogram] failed to parse field [interval] <- illegal_argument_exception: ' +
        '[interval] must be >0 for histogram aggregation [x]',
    ],
    [{ histogram: { field: 'n' } }, 'illegal_argument_exception: interval must be positive, got: 0.0'],
    [
      { histogram: { field: 'n', interval: 2, min_doc_count: -1 } },
      'x_content_parse_exception: [histogram] failed to parse field [min_doc_count] <- ' +
        'illegal_argument_exception: [minDocCount] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { histogram: { field: 'k', interval: 2 } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [histogram]',
    ],
    [{ histogram: { field: 'n', interval: 2, foo: 1 } }, 'x_content_parse_exception: [histogram] unknown field [foo]'],
    [
      { histogram: { field: 'n', interval: 'x' } },
      'x_content_parse_exception: [histogram] failed to parse field [interval] <- number_format_exception: For ' +
        'input string: "x"',
    ],
  ]));

test('histogram refuses more buckets than allowed', () =>
  index.refuses(
    [
      [
        { histogram: { field: 'n', interval: 0.0001 } },
        'search_phase_execution_exception:  <- too_many_buckets_exception: Trying to create too many buckets. Must ' +
          'be less than or equal to: [65536] but this number of buckets was exceeded. This limit can be set by ' +
          'changing the [search.max_buckets] cluster level setting.',
      ],
    ],
    { anyLayout: false },
  ));
