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
    ip: { type: 'ip' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', b: true, ip: '10.0.0.1', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z', b: false, ip: '10.0.0.2', x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', b: true, ip: '10.0.1.7', x: 'blue fox' },
    {
      n: 10,
      d: 4,
      k: 'c',
      t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'],
      b: false,
      ip: '192.168.1.1',
      x: 'red fox fox',
    },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('terms counts documents by value, most frequent first, equal ones by key', () =>
  index.answers([
    [
      { terms: { field: 'k' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'n' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 3, doc_count: 2 },
          { key: -4, doc_count: 1 },
          { key: 1, doc_count: 1 },
          { key: 2, doc_count: 1 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'd' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: -2.5, doc_count: 1 },
          { key: 0.5, doc_count: 1 },
          { key: 1.5, doc_count: 1 },
          { key: 4, doc_count: 1 },
          { key: 100, doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms shows addresses, truth values and dates as texts', () =>
  index.answers([
    [
      { terms: { field: 'ip' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: '10.0.0.1', doc_count: 1 },
          { key: '10.0.0.2', doc_count: 1 },
          { key: '10.0.1.7', doc_count: 1 },
          { key: '192.168.1.1', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'b' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 0, key_as_string: 'false', doc_count: 2 },
          { key: 1, key_as_string: 'true', doc_count: 2 },
        ],
      },
    ],
    [
      { terms: { field: 't' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 1705312800000, key_as_string: '2024-01-15T10:00:00.000Z', doc_count: 1 },
          { key: 1705318200000, key_as_string: '2024-01-15T11:30:00.000Z', doc_count: 1 },
          { key: 1706745600000, key_as_string: '2024-02-01T00:00:00.000Z', doc_count: 1 },
          { key: 1714435200000, key_as_string: '2024-04-30T00:00:00.000Z', doc_count: 1 },
          { key: 1714519800000, key_as_string: '2024-04-30T23:30:00.000Z', doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms has metrics below each bucket', () =>
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
    [
      { terms: { field: 'n' }, aggs: { z: { terms: { field: 'k' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          {
            key: 3,
            doc_count: 2,
            z: {
              doc_count_error_upper_bound: 0,
              sum_other_doc_count: 0,
              buckets: [
                { key: 'b', doc_count: 2 },
                { key: 'a', doc_count: 1 },
              ],
            },
          },
          {
            key: -4,
            doc_count: 1,
            z: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: 1 }] },
          },
          {
            key: 1,
            doc_count: 1,
            z: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: 1 }] },
          },
          {
            key: 2,
            doc_count: 1,
            z: {
              doc_count_error_upper_bound: 0,
              sum_other_doc_count: 0,
              buckets: [
                { key: 'a', doc_count: 1 },
                { key: 'b', doc_count: 1 },
              ],
            },
          },
          {
            key: 10,
            doc_count: 1,
            z: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 'c', doc_count: 1 }] },
          },
        ],
      },
    ],
  ]));

test('terms orders by count, key and metrics', () =>
  index.answers([
    [
      { terms: { field: 'k', order: { _key: 'desc' } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'b', doc_count: 2 },
          { key: 'a', doc_count: 3 },
        ],
      },
    ],
    [
      { terms: { field: 'k', order: { _count: 'asc' } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'b', doc_count: 2 },
          { key: 'a', doc_count: 3 },
        ],
      },
    ],
    [
      { terms: { field: 'k', order: { y: 'asc' } }, aggs: { y: { avg: { field: 'd' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'b', doc_count: 2, y: { value: -0.5 } },
          { key: 'a', doc_count: 3, y: { value: 1 } },
          { key: 'c', doc_count: 1, y: { value: 4 } },
        ],
      },
    ],
    [
      { terms: { field: 'k', order: [{ _count: 'desc' }, { _key: 'desc' }] } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'k', order: { 'z.max': 'desc' } }, aggs: { z: { stats: { field: 'n' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'c', doc_count: 1, z: { count: 1, min: 10, max: 10, avg: 10, sum: 10 } },
          { key: 'a', doc_count: 3, z: { count: 4, min: -4, max: 3, avg: 0.5, sum: 2 } },
          { key: 'b', doc_count: 2, z: { count: 3, min: 2, max: 3, avg: 2.6666666666666665, sum: 8 } },
        ],
      },
    ],
  ]));

test('terms keeps size buckets and counts the others', () =>
  index.answers([
    [
      { terms: { field: 'k', size: 1 } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 3, buckets: [{ key: 'a', doc_count: 3 }] },
    ],
    [
      { terms: { field: 'n', size: 2, order: { _key: 'asc' } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 4,
        buckets: [
          { key: -4, doc_count: 1 },
          { key: 1, doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms leaves out values that are less frequent than min_doc_count', () =>
  index.answers([
    [
      { terms: { field: 'k', min_doc_count: 2 } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
        ],
      },
    ],
    [
      { terms: { field: 'n', min_doc_count: 3 } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    ],
  ]));

test('terms shows values of other documents too with a min_doc_count of zero', () =>
  index.answers(
    [
      [
        { terms: { field: 'k', min_doc_count: 0 } },
        {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            { key: 'c', doc_count: 1 },
            { key: 'a', doc_count: 0 },
            { key: 'b', doc_count: 0 },
          ],
        },
      ],
    ],
    { query: { term: { k: 'c' } } },
  ));

test('terms includes and excludes values', () =>
  index.answers([
    [
      { terms: { field: 'k', include: '[ab]' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
        ],
      },
    ],
    [
      { terms: { field: 'k', exclude: ['a'] } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'n', include: [1, 3] } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 3, doc_count: 2 },
          { key: 1, doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'k', include: '.*', exclude: 'b' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms takes missing for documents without a value', () =>
  index.answers([
    [
      { terms: { field: 'k', missing: 'a' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 4 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'k', missing: 'z' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
          { key: 'z', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'n', missing: 3 } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 3, doc_count: 3 },
          { key: -4, doc_count: 1 },
          { key: 1, doc_count: 1 },
          { key: 2, doc_count: 1 },
          { key: 10, doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms formats numbers and dates when asked', () =>
  index.answers([
    [
      { terms: { field: 'n', format: '0.0', size: 1 } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 4,
        buckets: [{ key: 3, key_as_string: '3.0', doc_count: 2 }],
      },
    ],
    [
      { terms: { field: 't', format: 'yyyy-MM', size: 1 } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 4,
        buckets: [{ key: 1705312800000, key_as_string: '2024-01', doc_count: 1 }],
      },
    ],
  ]));

test('terms of nothing has no buckets', () =>
  index.answers(
    [
      [{ terms: { field: 'k' } }, { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] }],
      [{ terms: { field: 'n' } }, { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] }],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('terms of no field has no buckets', () =>
  index.answers([
    [{ terms: { field: 'nowhere' } }, { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] }],
    [
      { terms: { field: 'nowhere', missing: 'a' } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 'a', doc_count: 6 }] },
    ],
  ]));

test('terms collects by breadth or depth', () =>
  index.answers([
    [
      { terms: { field: 'k', collect_mode: 'breadth_first', size: 2 }, aggs: { y: { avg: { field: 'd' } } } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          { key: 'a', doc_count: 3, y: { value: 1 } },
          { key: 'b', doc_count: 2, y: { value: -0.5 } },
        ],
      },
    ],
    [
      { terms: { field: 'k', execution_hint: 'map' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
    [
      { terms: { field: 'k', execution_hint: 'global_ordinals' } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3 },
          { key: 'b', doc_count: 2 },
          { key: 'c', doc_count: 1 },
        ],
      },
    ],
  ]));

test('terms shows errors of its buckets when asked', () =>
  index.answers([
    [
      { terms: { field: 'k', show_term_doc_count_error: true } },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'a', doc_count: 3, doc_count_error_upper_bound: 0 },
          { key: 'b', doc_count: 2, doc_count_error_upper_bound: 0 },
          { key: 'c', doc_count: 1, doc_count_error_upper_bound: 0 },
        ],
      },
    ],
  ]));

test('terms refuses text, bad sizes, orders, modes and unknown options', () =>
  index.refuses([
    [{ terms: { field: 'x' } }, FIELDDATA_OF_X],
    [
      { terms: { field: 'k', size: 0 } },
      'x_content_parse_exception: [terms] failed to parse field [size] <- illegal_argument_exception: [size] ' +
        'must be greater than 0. Found [0] in [x]',
    ],
    [
      { terms: { field: 'k', size: 'x' } },
      'x_content_parse_exception: [terms] failed to parse field [size] <- number_format_exception: For input ' +
        'string: "x"',
    ],
    [
      { terms: { field: 'k', shard_size: 0 } },
      'x_content_parse_exception: [terms] failed to parse field [shard_size] <- illegal_argument_exception: ' +
        '[shardSize] must be greater than 0. Found [0] in [x]',
    ],
    [
      { terms: { field: 'k', min_doc_count: -1 } },
      'x_content_parse_exception: [terms] failed to parse field [min_doc_count] <- illegal_argument_exception: ' +
        '[minDocCount] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { terms: { field: 'k', order: { _count: 'up' } } },
      'x_content_parse_exception: [terms] failed to parse field [order] <- parsing_exception: Unknown order ' +
        'direction [up]',
    ],
    [
      { terms: { field: 'k', collect_mode: 'no' } },
      'x_content_parse_exception: [terms] failed to parse field [collect_mode] <- parse_exception: no ' +
        '[collect_mode] found for value [no]',
    ],
    [{ terms: { field: 'k', foo: 1 } }, 'x_content_parse_exception: [terms] unknown field [foo]'],
    [{ terms: {} }, 'illegal_argument_exception: Required one of fields [field, script], but none were specified. '],
  ]));

const minimum = await aggregationFixture({
  mapping: { n: { type: 'integer' } },
  documents: [{ n: [1, 2, 3, 4] }, { n: [1, 2, 5] }, { n: [1, 6] }],
});

test('terms below min_doc_count are no other documents, and are not chosen before it', () =>
  minimum.answers([
    [
      { terms: { field: 'n', size: 1, min_doc_count: 2 } },
      { doc_count_error_upper_bound: 0, sum_other_doc_count: 2, buckets: [{ key: 1, doc_count: 3 }] },
    ],
  ]));
