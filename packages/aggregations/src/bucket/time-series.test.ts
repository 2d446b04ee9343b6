import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

const dimension = (type: string): object => ({ type, time_series_dimension: true });
const at = (minute: number): string => `2024-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
const index = await aggregationFixture({
  indexSettings: { 'index.mode': 'time_series', 'index.routing_path': ['host'] },
  mapping: {
    '@timestamp': { type: 'date' },
    host: dimension('keyword'),
    port: dimension('long'),
    sent: { type: 'long', time_series_metric: 'counter' },
    load: { type: 'aggregate_metric_double', metrics: ['min', 'max', 'sum', 'value_count'], default_metric: 'max' },
  },
  documents: [
    { '@timestamp': at(2), host: 'a', port: 1, sent: 70 },
    { '@timestamp': at(0), host: 'a', port: 1, sent: 10, load: { min: 1, max: 5, sum: 6, value_count: 2 } },
    { '@timestamp': at(3), host: 'a', port: 1, sent: 20 },
    { '@timestamp': at(0), host: 'b', sent: 5, load: { min: -2, max: 3, sum: 4, value_count: 4 } },
    { '@timestamp': at(1), host: 'a', port: 1, sent: 40 },
  ],
});
const A = { host: 'a', port: 1 };
const B = { host: 'b' };

test('time_series has a bucket for each series, the first in the order of their ids', () =>
  index.answers([
    [
      { time_series: {} },
      {
        buckets: [
          { key: B, doc_count: 1 },
          { key: A, doc_count: 4 },
        ],
      },
    ],
    [{ time_series: { size: 1 } }, { buckets: [{ key: B, doc_count: 1 }] }],
    [
      { time_series: { keyed: true } },
      { buckets: { '{host=b}': { key: B, doc_count: 1 }, '{host=a, port=1}': { key: A, doc_count: 4 } } },
    ],
  ]));

test('time_series refuses what it does not know', () =>
  index.refuses([
    [
      { time_series: { size: 0 } },
      'x_content_parse_exception: [time_series] failed to parse field [size] <- illegal_argument_exception: ' +
        '[size] must be greater than 0. Found [0] in [x]',
    ],
  ]));

test('indices of other modes have no time series', async () => {
  const plain = await aggregationFixture({ mapping: { host: { type: 'keyword' } }, documents: [{ host: 'a' }] });
  await plain.answers([[{ time_series: {} }, { buckets: [] }]]);
});

test('rate below time_series is the increase of a counter, in any order of its values, over a reset', async () => {
  // All documents of a series are on one shard.
  const { x } = await index.answer(
    {
      x: { time_series: {}, aggs: { r: { rate: { field: 'sent', unit: 'minute' } }, s: { rate: { field: 'sent' } } } },
    },
    { anyLayout: false },
  );
  // 10, 40, 70, then anew to 20: 80 in three minutes.
  const found = x.buckets.map((bucket: Record<string, { value: unknown }>) => [bucket['r']!.value, bucket['s']!.value]);
  assert.deepEqual(found[0], [null, null]);
  assert.ok(Math.abs(found[1][0] - 80 / 3) < 1e-9 && Math.abs(found[1][1] - 80 / 180) < 1e-9, String(found[1]));
});

test('metrics of aggregate_metric_double read the number that they need', () =>
  index.answers([
    [{ min: { field: 'load' } }, { value: -2 }],
    [{ max: { field: 'load' } }, { value: 5 }],
    [{ sum: { field: 'load' } }, { value: 10 }],
    [{ value_count: { field: 'load' } }, { value: 6 }],
    [{ avg: { field: 'load' } }, { value: 10 / 6 }],
  ]));

test('other aggregations of aggregate_metric_double are refused', () =>
  index.refuses(
    ['terms', 'stats', 'cardinality', 'percentiles'].map((name) => [
      { [name]: { field: 'load' } },
      `illegal_argument_exception: Field [load] of type [aggregate_metric_double] is not supported for aggregation ` +
        `[${name}]`,
    ]),
  ));
