import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    x: { type: 'text' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', x: 'red fox' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z', x: 'red dog' },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z', x: 'blue fox' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'], x: 'red fox fox' },
    { n: -4, k: 'a', x: 'green' },
    { d: 100 },
  ],
});

test('range counts values from its lower end to below its upper end', () =>
  index.answers([
    [
      { range: { field: 'n', ranges: [{ to: 1 }, { from: 1, to: 3 }, { from: 3 }] } },
      {
        buckets: [
          { key: '*-1.0', to: 1, doc_count: 1 },
          { key: '1.0-3.0', from: 1, to: 3, doc_count: 2 },
          { key: '3.0-*', from: 3, doc_count: 3 },
        ],
      },
    ],
    [
      { range: { field: 'n', ranges: [{ from: 0, to: 4 }, { from: 2, to: 11 }, { from: -10 }] } },
      {
        buckets: [
          { key: '-10.0-*', from: -10, doc_count: 5 },
          { key: '0.0-4.0', from: 0, to: 4, doc_count: 3 },
          { key: '2.0-11.0', from: 2, to: 11, doc_count: 3 },
        ],
      },
    ],
    [
      {
        range: {
          field: 'n',
          ranges: [
            { key: 'low', to: 3 },
            { key: 'high', from: 3 },
          ],
        },
      },
      {
        buckets: [
          { key: 'low', to: 3, doc_count: 3 },
          { key: 'high', from: 3, doc_count: 3 },
        ],
      },
    ],
  ]));

test('range has metrics, keys, missing and formats', () =>
  index.answers([
    [
      { range: { field: 'n', ranges: [{ to: 3 }, { from: 3 }] }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key: '*-3.0', to: 3, doc_count: 3, y: { value: 1 } },
          { key: '3.0-*', from: 3, doc_count: 3, y: { value: 1 } },
        ],
      },
    ],
    [
      { range: { field: 'n', ranges: [{ to: 3 }, { key: 'high', from: 3 }], keyed: true } },
      { buckets: { '*-3.0': { to: 3, doc_count: 3 }, high: { from: 3, doc_count: 3 } } },
    ],
    [
      { range: { field: 'n', ranges: [{ to: 3 }, { from: 3 }], missing: 2 } },
      {
        buckets: [
          { key: '*-3.0', to: 3, doc_count: 4 },
          { key: '3.0-*', from: 3, doc_count: 3 },
        ],
      },
    ],
    [
      { range: { field: 'n', ranges: [{ from: 1, to: 3 }], format: '0.00' } },
      { buckets: [{ key: '1.00-3.00', from: 1, from_as_string: '1.00', to: 3, to_as_string: '3.00', doc_count: 2 }] },
    ],
  ]));

test('range of nothing has empty buckets', () =>
  index.answers(
    [
      [
        { range: { field: 'n', ranges: [{ to: 3 }, { from: 3 }] } },
        {
          buckets: [
            { key: '*-3.0', to: 3, doc_count: 0 },
            { key: '3.0-*', from: 3, doc_count: 0 },
          ],
        },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('range of no field has empty buckets', () =>
  index.answers([
    [{ range: { field: 'nowhere', ranges: [{ to: 3 }] } }, { buckets: [{ key: '*-3.0', to: 3, doc_count: 0 }] }],
  ]));

test('date_range reads dates, date math and zones', () =>
  index.answers([
    [
      { date_range: { field: 't', ranges: [{ to: '2024-02-01' }, { from: '2024-02-01' }] } },
      {
        buckets: [
          {
            key: '*-2024-02-01T00:00:00.000Z',
            to: 1706745600000,
            to_as_string: '2024-02-01T00:00:00.000Z',
            doc_count: 2,
          },
          {
            key: '2024-02-01T00:00:00.000Z-*',
            from: 1706745600000,
            from_as_string: '2024-02-01T00:00:00.000Z',
            doc_count: 3,
          },
        ],
      },
    ],
    [
      {
        date_range: { field: 't', ranges: [{ from: '2024-01-15||/M', to: '2024-01-15||+1M/M' }], format: 'yyyy-MM-dd' },
      },
      {
        buckets: [
          {
            key: '2024-01-01-2024-02-01',
            from: 1704067200000,
            from_as_string: '2024-01-01',
            to: 1706745600000,
            to_as_string: '2024-02-01',
            doc_count: 2,
          },
        ],
      },
    ],
    [
      { date_range: { field: 't', ranges: [{ to: '2024-05-01' }], time_zone: '+01:00' } },
      {
        buckets: [
          {
            key: '*-2024-05-01T00:00:00.000+01:00',
            to: 1714518000000,
            to_as_string: '2024-05-01T00:00:00.000+01:00',
            doc_count: 3,
          },
        ],
      },
    ],
    [
      { date_range: { field: 't', ranges: [{ key: 'a', from: 1705312800000 }], keyed: true } },
      { buckets: { a: { from: 1705312800000, from_as_string: '2024-01-15T10:00:00.000Z', doc_count: 4 } } },
    ],
    [
      { date_range: { field: 't', ranges: [{ to: '2024-02-01' }], missing: '2024-01-01' } },
      {
        buckets: [
          {
            key: '*-2024-02-01T00:00:00.000Z',
            to: 1706745600000,
            to_as_string: '2024-02-01T00:00:00.000Z',
            doc_count: 4,
          },
        ],
      },
    ],
  ]));

test('range and date_range refuse no ranges, unknown options and other fields', () =>
  index.refuses([
    [{ range: { field: 'n' } }, 'illegal_argument_exception: No [ranges] specified for the [x] aggregation'],
    [
      { range: { field: 'n', ranges: Array.from({ length: 10_001 }, () => null) } },
      'x_content_parse_exception: [range] failed to parse field [ranges] <- illegal_argument_exception: ' +
        '[ranges] of [x] has [10001] elements, more than [10000]',
    ],
    [
      { range: { field: 'n', ranges: [] } },
      'illegal_argument_exception: No [ranges] specified for the [x] aggregation',
    ],
    [
      { range: { field: 'n', ranges: [{ from: 1, foo: 2 }] } },
      'x_content_parse_exception: [range] failed to parse field [ranges] <- x_content_parse_exception: [range] ' +
        'unknown field [foo]',
    ],
    [{ range: { field: 'n', ranges: [{ from: 'x' }] } }, 'number_format_exception: For input string: "x"'],
    [{ range: { field: 'n', ranges: [{ to: 1 }], foo: 1 } }, 'x_content_parse_exception: [range] unknown field [foo]'],
    [
      { range: { field: 'k', ranges: [{ to: 1 }] } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [range]',
    ],
    [
      { date_range: { field: 't', ranges: [] } },
      'illegal_argument_exception: No [ranges] specified for the [x] aggregation',
    ],
    [
      { date_range: { field: 't', ranges: [{ from: 'x' }] } },
      'parse_exception: failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]: ' +
        '[failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]] <- ' +
        'illegal_argument_exception: failed to parse date field [x] with format ' +
        '[strict_date_optional_time||epoch_millis] <- date_time_parse_exception: Failed to parse with all enclosed ' +
        'parsers',
    ],
    [
      { date_range: { field: 'k', ranges: [{ to: '2024' }] } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [date_range]',
    ],
  ]));

const others = await aggregationFixture({
  mapping: { i: { type: 'integer' }, b: { type: 'boolean' } },
  documents: [{ i: [1, 2], b: true }, { i: 2, b: false }, { i: 5 }],
});

test('date_range over numbers and booleans reads and prints bounds as the field does', async () => {
  await others.answers([
    [
      { date_range: { field: 'i', ranges: [{ to: 3 }, { from: '2.5', to: 4 }] } },
      {
        buckets: [
          { key: '*-3.0', to: 3, doc_count: 2 },
          { key: '2.5-4.0', from: 2.5, to: 4, doc_count: 0 },
        ],
      },
    ],
    [
      { range: { field: 'b', ranges: [{ to: 1 }, { from: 'true' }] } },
      {
        buckets: [
          { key: '*-true', to: 1, to_as_string: true, doc_count: 1 },
          { key: 'true-*', from: 1, from_as_string: true, doc_count: 1 },
        ],
      },
    ],
  ]);
  await others.refuses([
    [
      { date_range: { field: 'i', ranges: [{ to: '2024-01-01' }] } },
      'number_format_exception: For input string: "2024-01-01"',
    ],
    [
      { date_range: { field: 'b', ranges: [{ to: 3 }] } },
      'illegal_argument_exception: Cannot parse boolean [3], expected either [true] or [false]',
    ],
  ]);
});
