import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    n: { type: 'long' },
    d: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    dr: { type: 'date_range' },
  },
  documents: [
    { n: 1, d: 0.5, k: 'a', t: '2024-01-15T10:00:00Z', dr: { gte: '2024-01-01', lte: '2024-01-20' } },
    { n: [2, 3], d: 1.5, k: ['a', 'b'], t: '2024-02-01T00:00:00Z', dr: { gte: '2024-01-10', lt: '2024-03-01' } },
    { n: 3, d: -2.5, k: 'b', t: '2024-04-30T23:30:00Z' },
    { n: 10, d: 4, k: 'c', t: ['2024-01-15T11:30:00Z', '2024-04-30T00:00:00Z'] },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('date_histogram counts documents by calendar interval', () =>
  index.answers([
    [
      { date_histogram: { field: 't', calendar_interval: 'month' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'quarter' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 3 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: '1w', min_doc_count: 1 } },
      {
        buckets: [
          { key_as_string: '2024-01-15T00:00:00.000Z', key: 1705276800000, doc_count: 2 },
          { key_as_string: '2024-01-29T00:00:00.000Z', key: 1706486400000, doc_count: 1 },
          { key_as_string: '2024-04-29T00:00:00.000Z', key: 1714348800000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'year', format: 'yyyy' } },
      { buckets: [{ key_as_string: '2024', key: 1704067200000, doc_count: 4 }] },
    ],
  ]));

test('date_histogram counts by fixed interval', () =>
  index.answers([
    [
      { date_histogram: { field: 't', fixed_interval: '30d' } },
      {
        buckets: [
          { key_as_string: '2023-12-19T00:00:00.000Z', key: 1702944000000, doc_count: 2 },
          { key_as_string: '2024-01-18T00:00:00.000Z', key: 1705536000000, doc_count: 1 },
          { key_as_string: '2024-02-17T00:00:00.000Z', key: 1708128000000, doc_count: 0 },
          { key_as_string: '2024-03-18T00:00:00.000Z', key: 1710720000000, doc_count: 0 },
          { key_as_string: '2024-04-17T00:00:00.000Z', key: 1713312000000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', fixed_interval: '1h', min_doc_count: 1 } },
      {
        buckets: [
          { key_as_string: '2024-01-15T10:00:00.000Z', key: 1705312800000, doc_count: 1 },
          { key_as_string: '2024-01-15T11:00:00.000Z', key: 1705316400000, doc_count: 1 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-04-30T00:00:00.000Z', key: 1714435200000, doc_count: 1 },
          { key_as_string: '2024-04-30T23:00:00.000Z', key: 1714518000000, doc_count: 1 },
        ],
      },
    ],
  ]));

test('date_histogram cuts in its zone and with its offset', () =>
  index.answers([
    [
      { date_histogram: { field: 't', calendar_interval: 'month', time_zone: '+01:00' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000+01:00', key: 1704063600000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000+01:00', key: 1706742000000, doc_count: 1 },
          { key_as_string: '2024-03-01T00:00:00.000+01:00', key: 1709247600000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000+01:00', key: 1711926000000, doc_count: 1 },
          { key_as_string: '2024-05-01T00:00:00.000+01:00', key: 1714518000000, doc_count: 1 },
        ],
      },
    ],
    [
      {
        date_histogram: {
          field: 't',
          calendar_interval: 'month',
          time_zone: 'America/New_York',
          format: 'yyyy-MM-dd HH:mm',
          min_doc_count: 1,
        },
      },
      {
        buckets: [
          { key_as_string: '2024-01-01 00:00', key: 1704085200000, doc_count: 3 },
          { key_as_string: '2024-04-01 00:00', key: 1711944000000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'day', offset: '+6h', min_doc_count: 1 } },
      {
        buckets: [
          { key_as_string: '2024-01-15T06:00:00.000Z', key: 1705298400000, doc_count: 2 },
          { key_as_string: '2024-01-31T06:00:00.000Z', key: 1706680800000, doc_count: 1 },
          { key_as_string: '2024-04-29T06:00:00.000Z', key: 1714370400000, doc_count: 1 },
          { key_as_string: '2024-04-30T06:00:00.000Z', key: 1714456800000, doc_count: 1 },
        ],
      },
    ],
  ]));

test('date_histogram widens to its bounds or stays inside of them', () =>
  index.answers([
    [
      {
        date_histogram: {
          field: 't',
          calendar_interval: 'month',
          format: 'yyyy-MM',
          extended_bounds: { min: '2023-12', max: '2024-05' },
        },
      },
      {
        buckets: [
          { key_as_string: '2023-12', key: 1701388800000, doc_count: 0 },
          { key_as_string: '2024-01', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-03', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04', key: 1711929600000, doc_count: 2 },
          { key_as_string: '2024-05', key: 1714521600000, doc_count: 0 },
        ],
      },
    ],
    [
      {
        date_histogram: {
          field: 't',
          calendar_interval: 'month',
          format: 'yyyy-MM',
          hard_bounds: { min: '2024-02', max: '2024-03' },
        },
      },
      { buckets: [{ key_as_string: '2024-02', key: 1706745600000, doc_count: 1 }] },
    ],
  ]));

test('date_histogram has metrics, orders, keys and missing', () =>
  index.answers([
    [
      { date_histogram: { field: 't', calendar_interval: 'quarter' }, aggs: { y: { avg: { field: 'd' } } } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 3, y: { value: 2 } },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2, y: { value: 0.75 } },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'month', order: { _key: 'desc' } } },
      {
        buckets: [
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
        ],
      },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'quarter', keyed: true, format: 'yyyy-MM' } },
      {
        buckets: {
          '2024-01': { key_as_string: '2024-01', key: 1704067200000, doc_count: 3 },
          '2024-04': { key_as_string: '2024-04', key: 1711929600000, doc_count: 2 },
        },
      },
    ],
    [
      { date_histogram: { field: 'd', calendar_interval: 'quarter', keyed: true } },
      { buckets: { '-7948800000': { key: -7948800000, doc_count: 1 }, 0: { key: 0, doc_count: 4 } } },
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'month', missing: '2024-02-15' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 3 },
          { key_as_string: '2024-03-01T00:00:00.000Z', key: 1709251200000, doc_count: 0 },
          { key_as_string: '2024-04-01T00:00:00.000Z', key: 1711929600000, doc_count: 2 },
        ],
      },
    ],
  ]));

test('date_histogram counts ranges in every bucket that they touch', () =>
  index.answers([
    [
      { date_histogram: { field: 'dr', calendar_interval: 'month' } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 2 },
          { key_as_string: '2024-02-01T00:00:00.000Z', key: 1706745600000, doc_count: 1 },
        ],
      },
    ],
  ]));

test('date_histogram of nothing has no buckets', () =>
  index.answers([[{ date_histogram: { field: 't', calendar_interval: 'month' } }, { buckets: [] }]], {
    query: { term: { k: 'none' } },
  }));

test('date_histogram of no field has no buckets', () =>
  index.answers([[{ date_histogram: { field: 'nowhere', calendar_interval: 'month' } }, { buckets: [] }]]));

test('date_histogram refuses intervals that are none, two of them, zones and other fields', () =>
  index.refuses([
    [
      { date_histogram: { field: 't' } },
      'illegal_argument_exception: Invalid interval specified, must be non-null and non-empty',
    ],
    [
      { date_histogram: { field: 't', calendar_interval: '2d' } },
      'x_content_parse_exception: [date_histogram] failed to parse field [calendar_interval] <- ' +
        'illegal_argument_exception: The supplied interval [2d] could not be parsed as a calendar interval.',
    ],
    [
      { date_histogram: { field: 't', fixed_interval: '1M' } },
      'x_content_parse_exception: [date_histogram] failed to parse field [fixed_interval] <- ' +
        'illegal_argument_exception: failed to parse setting [date_histogram.fixedInterval] with value [1M] as a ' +
        'time value: unit is missing or unrecognized',
    ],
    [
      { date_histogram: { field: 't', calendar_interval: '1d', fixed_interval: '1h' } },
      'x_content_parse_exception: [date_histogram] failed to parse field [fixed_interval] <- ' +
        'illegal_argument_exception: Cannot use [fixed_interval] with [calendar_interval] configuration option.',
    ],
    [
      { date_histogram: { field: 't', fixed_interval: '1h', time_zone: 'foo/bar' } },
      'x_content_parse_exception: [date_histogram] failed to parse field [time_zone] <- zone_rules_exception: ' +
        'Unknown time-zone ID: foo/bar',
    ],
    [
      { date_histogram: { field: 'k', calendar_interval: 'day' } },
      'illegal_argument_exception: Field [k] of type [keyword] is not supported for aggregation [date_histogram]',
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'day', foo: 1 } },
      'x_content_parse_exception: [date_histogram] unknown field [foo]',
    ],
    [
      { date_histogram: { field: 't', interval: 'day' } },
      'x_content_parse_exception: [date_histogram] unknown field [interval] did you mean [fixed_interval]?',
    ],
  ]));

test('date_histogram refuses bounds that are neither whole milliseconds nor dates', () =>
  index.refuses([
    [
      { date_histogram: { field: 't', calendar_interval: 'month', extended_bounds: { min: 1.5 } } },
      'x_content_parse_exception: [date_histogram] failed to parse field [extended_bounds] <- ' +
        'x_content_parse_exception: [bounds] failed to parse field [min] <- illegal_argument_exception: 1.5 cannot ' +
        'be converted to Long without data loss',
    ],
    [
      { date_histogram: { field: 't', calendar_interval: 'month', hard_bounds: { max: true } } },
      'x_content_parse_exception: [date_histogram] failed to parse field [hard_bounds] <- ' +
        "x_content_parse_exception: [bounds] max doesn't support values of type: VALUE_BOOLEAN",
    ],
    [
      { date_histogram: { field: 't', calendar_interval: '' } },
      'x_content_parse_exception: [date_histogram] failed to parse field [calendar_interval] <- ' +
        'illegal_argument_exception: [interval] must not be null: [date_histogram]',
    ],
  ]));
