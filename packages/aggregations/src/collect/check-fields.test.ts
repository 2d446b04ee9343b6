import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: {
    k: { type: 'keyword' },
    i: { type: 'integer' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    hidden: { type: 'ip', doc_values: false },
    geo: { type: 'geo_point' },
    ints: { type: 'integer_range' },
    ips: { type: 'ip_range' },
    dates: { type: 'date_range' },
    flat: { type: 'flattened' },
  },
  documents: [
    {
      k: 'a',
      i: 1,
      d: ['2024-01-01', '2023-05-05'],
      geo: '40.71,-74.01',
      dates: { gte: '2024-01-01', lte: '2024-01-02' },
      flat: { x: 'a' },
    },
  ],
});

const noFormat = (name: string, type: string): string =>
  `illegal_argument_exception: Field [${name}] of type [${type}] does not support custom formats`;
const noZone = (name: string, type: string): string =>
  `illegal_argument_exception: Field [${name}] of type [${type}] does not support custom time zones`;
const noUse = (name: string, type: string, aggregation: string): string =>
  `illegal_argument_exception: Field [${name}] of type [${type}] is not supported for aggregation [${aggregation}]`;
const NO_COLUMN =
  "illegal_argument_exception: Can't load fielddata on [hidden] because fielddata is unsupported on fields of type " +
  '[ip]. Use doc values instead.';
const day = (field: string): Record<string, unknown> => ({ field, fixed_interval: '1d' });

test('formats and time zones are refused before the kind of values', () =>
  index.refuses([
    [{ date_histogram: { ...day('ips'), format: 'yyyy', time_zone: 'UTC' } }, noFormat('ips', 'ip_range')],
    [{ date_histogram: { ...day('ints'), time_zone: 'UTC' } }, noZone('ints', 'integer_range')],
    [{ date_histogram: { ...day('geo'), format: 'yyyy' } }, noFormat('geo', 'geo_point')],
    [{ date_histogram: { ...day('i'), time_zone: 'UTC' } }, noZone('i', 'integer')],
    [{ sum: { field: 'flat', format: '0.0' } }, noFormat('flat', 'flattened')],
    [{ terms: { field: 'ints', format: '0.0' } }, noFormat('ints', 'integer_range')],
    [
      { date_histogram: day('ips') },
      'illegal_argument_exception: Expected date range type but found range type [ip_range]',
    ],
    [
      { date_histogram: day('ips'), aggs: { x: { date_histogram: day('ints') } } },
      'illegal_argument_exception: Expected date range type but found range type [integer_range]',
    ],
  ]));

test('keys of flattened fields are named as one field', () =>
  index.refuses([
    [{ avg: { field: 'flat.x' } }, noUse('flat._keyed', 'flattened', 'avg')],
    [{ ip_prefix: { field: 'flat.x', prefix_length: 8 } }, noUse('flat._keyed', 'flattened', 'ip_prefix')],
    [{ ip_range: { field: 'flat', ranges: [{ to: '10.0.0.1' }] } }, noUse('flat', 'flattened', 'ip_range')],
  ]));

test('fields of sub-aggregations are refused before an aggregation is built', () =>
  index.refuses([
    [{ date_histogram: day('ips'), aggs: { s: { avg: { field: 'hidden' } } } }, NO_COLUMN],
    [
      { geotile_grid: { field: 'i' }, aggs: { s: { geo_bounds: { field: 'k' } } } },
      noUse('k', 'keyword', 'geo_bounds'),
    ],
    [
      { geohash_grid: { field: 'i' }, aggs: { s: { geo_bounds: { field: 'k' } } } },
      noUse('i', 'integer', 'geohash_grid'),
    ],
    [{ terms: { field: 'k' }, aggs: { g: { global: {} }, s: { avg: { field: 'hidden' } } } }, NO_COLUMN],
    [
      { ip_range: { field: 'k', ranges: [{ to: '10.0.0.1' }] }, aggs: { s: { avg: { field: 'hidden' } } } },
      noUse('k', 'keyword', 'ip_range'),
    ],
  ]));

test('a histogram over ranges of dates has dates as keys', () =>
  index.answers([
    [
      { histogram: { field: 'dates', interval: 86_400_000 } },
      {
        buckets: [
          { key_as_string: '2024-01-01T00:00:00.000Z', key: 1704067200000, doc_count: 1 },
          { key_as_string: '2024-01-02T00:00:00.000Z', key: 1704153600000, doc_count: 1 },
        ],
      },
    ],
  ]));

test('numbers computed of dates print as the nearest dates that 64 bits hold', async () => {
  const { x }: Answer = await index.answer({ x: { extended_stats: { field: 'd' } } });
  assert.equal(x.sum_of_squares_as_string, '+292278994-08-17T07:12:55.807Z');
  const { x: year }: Answer = await index.answer({ x: { extended_stats: { field: 'd', format: 'yyyy' } } });
  assert.equal(year.sum_of_squares_as_string, '+292278994');
});

test('a query of a filter is planned below first, also where no collector is built', () =>
  index.refuses([
    [
      {
        terms: { field: 'nowhere' },
        aggs: {
          outer: {
            filter: { geo_distance: { distance: '1km', missing: '0,0' } },
            aggs: { inner: { filters: { filters: [{ geo_distance: { distance: '1km', below: '0,0' } }] } } },
          },
        },
      },
      'query_shard_exception: failed to find geo field [below]',
    ],
  ]));

test('global below another aggregation is refused before the histogram around it looks at its ranges', () =>
  index.refuses([
    [
      { significant_terms: { field: 'nowhere' }, aggs: { y: { global: {} } } },
      'illegal_argument_exception: Aggregation [x] cannot have a global sub-aggregation [y]. Global aggregations can ' +
        'only be defined as top level aggregations',
    ],
    [
      { date_histogram: day('ints'), aggs: { y: { global: {} } } },
      'illegal_argument_exception: Aggregation [x] cannot have a global sub-aggregation [y]. Global aggregations can ' +
        'only be defined as top level aggregations',
    ],
  ]));

test('composite is refused at a wrong place before its sources, and these before what is below', () => {
  const sources = (field: string): object => ({
    composite: { sources: [{ p: { histogram: { field, interval: 1 } } }] },
  });
  return index.refuses([
    [
      { sampler: {}, aggs: { y: sources('ips') } },
      'illegal_argument_exception: [composite] aggregation cannot be used with a parent aggregation of type: ' +
        '[SamplerAggregatorFactory]',
    ],
    [{ ...sources('k'), aggs: { y: { avg: { field: 'ips' } } } }, noUse('k', 'keyword', 'histogram')],
  ]);
});
