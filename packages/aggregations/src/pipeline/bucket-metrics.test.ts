import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';

/** Answers and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' } },
  documents: [
    { n: 1, d: 0.5, k: 'a' },
    { n: [2, 3], d: 1.5, k: ['a', 'b'] },
    { n: 3, d: -2.5, k: 'b' },
    { n: 10, d: 4, k: 'c' },
    { n: -4, k: 'a' },
    { d: 100 },
  ],
});

test('avg_bucket, sum_bucket, min_bucket and max_bucket read a metric of the buckets beside them', async () => {
  assert.deepEqual(
    await index.answer({
      h: { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } } } },
      a: { avg_bucket: { buckets_path: 'h>s' } },
      b: { sum_bucket: { buckets_path: 'h>s' } },
      c: { min_bucket: { buckets_path: 'h>s' } },
      d: { max_bucket: { buckets_path: 'h>s' } },
      e: { max_bucket: { buckets_path: 'h>_count' } },
    }),
    {
      h: {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 } },
        ],
      },
      a: { value: 0.875 },
      b: { value: 3.5 },
      c: { value: -1, keys: ['2.0'] },
      d: { value: 4, keys: ['10.0'] },
      e: { value: 2, keys: ['2.0'] },
    },
  );
});

test('stats_bucket, extended_stats_bucket and percentiles_bucket read them all', async () => {
  assert.deepEqual(
    await index.answer({
      h: { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } } } },
      a: { stats_bucket: { buckets_path: 'h>s' } },
      b: { extended_stats_bucket: { buckets_path: 'h>s', sigma: 1 } },
      c: { percentiles_bucket: { buckets_path: 'h>s', percents: [25, 50, 99] } },
      d: { percentiles_bucket: { buckets_path: 'h>s', percents: [50], keyed: false } },
    }),
    {
      h: {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 } },
        ],
      },
      a: { count: 4, min: -1, max: 4, avg: 0.875, sum: 3.5 },
      b: {
        count: 4,
        min: -1,
        max: 4,
        avg: 0.875,
        sum: 3.5,
        sum_of_squares: 17.25,
        variance: 3.546875,
        variance_population: 3.546875,
        variance_sampling: 4.729166666666667,
        std_deviation: 1.8833148966649205,
        std_deviation_population: 1.8833148966649205,
        std_deviation_sampling: 2.174664725116648,
        std_deviation_bounds: {
          upper: 2.7583148966649205,
          lower: -1.0083148966649205,
          upper_population: 2.7583148966649205,
          lower_population: -1.0083148966649205,
          upper_sampling: 3.049664725116648,
          lower_sampling: -1.299664725116648,
        },
      },
      c: { values: { '25.0': 0, '50.0': 0.5, '99.0': 4 } },
      d: { values: [{ key: 50, value: 0.5 }] },
    },
  );
});

test('buckets without a value are skipped, or zero when asked', async () => {
  assert.deepEqual(
    await index.answer({
      h: { histogram: { field: 'n', interval: 2 }, aggs: { a: { avg: { field: 'd' } } } },
      p: { avg_bucket: { buckets_path: 'h>a' } },
      q: { avg_bucket: { buckets_path: 'h>a', gap_policy: 'insert_zeros' } },
    }),
    {
      h: {
        buckets: [
          { key: -4, doc_count: 1, a: { value: null } },
          { key: -2, doc_count: 0, a: { value: null } },
          { key: 0, doc_count: 1, a: { value: 0.5 } },
          { key: 2, doc_count: 2, a: { value: -0.5 } },
          { key: 4, doc_count: 0, a: { value: null } },
          { key: 6, doc_count: 0, a: { value: null } },
          { key: 8, doc_count: 0, a: { value: null } },
          { key: 10, doc_count: 1, a: { value: 4 } },
        ],
      },
      p: { value: 1.3333333333333333 },
      q: { value: 0.5 },
    },
  );
});

test('no buckets give null, a sum of zero and keys of none', async () => {
  assert.deepEqual(
    await index.answer(
      {
        h: { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } } } },
        a: { avg_bucket: { buckets_path: 'h>s' } },
        b: { sum_bucket: { buckets_path: 'h>s' } },
        d: { max_bucket: { buckets_path: 'h>s' } },
        e: { stats_bucket: { buckets_path: 'h>s' } },
        f: { percentiles_bucket: { buckets_path: 'h>s', percents: [50] } },
      },
      { query: { term: { k: 'none' } } },
    ),
    {
      h: { buckets: [] },
      a: { value: null },
      b: { value: 0 },
      d: { value: null, keys: [] },
      e: { count: 0, min: null, max: null, avg: null, sum: 0 },
      f: { values: { '50.0': null } },
    },
  );
});

test('values are formatted when asked', async () => {
  assert.deepEqual(
    await index.answer({
      h: { histogram: { field: 'n', interval: 2 }, aggs: { s: { sum: { field: 'd' } } } },
      a: { avg_bucket: { buckets_path: 'h>s', format: '0.00' } },
      b: { stats_bucket: { buckets_path: 'h>s', format: '0.0' } },
    }),
    {
      h: {
        buckets: [
          { key: -4, doc_count: 1, s: { value: 0 } },
          { key: -2, doc_count: 0, s: { value: 0 } },
          { key: 0, doc_count: 1, s: { value: 0.5 } },
          { key: 2, doc_count: 2, s: { value: -1 } },
          { key: 4, doc_count: 0, s: { value: 0 } },
          { key: 6, doc_count: 0, s: { value: 0 } },
          { key: 8, doc_count: 0, s: { value: 0 } },
          { key: 10, doc_count: 1, s: { value: 4 } },
        ],
      },
      a: { value: 0.875, value_as_string: '0.88' },
      b: {
        count: 4,
        min: -1,
        max: 4,
        avg: 0.875,
        sum: 3.5,
        min_as_string: '-1.0',
        max_as_string: '4.0',
        avg_as_string: '0.9',
        sum_as_string: '3.5',
      },
    },
  );
});

test('paths that lead nowhere, unknown options and gap policies are refused', () =>
  index.refuses([
    [{ avg_bucket: {} }, 'parsing_exception: Missing required field [buckets_path] for aggregation [x]'],
    [
      { avg_bucket: { buckets_path: 'zz>s' } },
      'action_request_validation_exception: Validation Failed: 1: No aggregation found for path [zz>s];',
    ],
    [
      { max_bucket: { buckets_path: 'zz', gap_policy: 'none' } },
      'parsing_exception: Invalid gap policy: [none], accepted values: [insert_zeros, skip, keep_values]',
    ],
  ]));

test('values of options are refused by the name of their token, unknown options before a missing path', () => {
  const unexpected = (token: string, key: string): string =>
    `parsing_exception: Unexpected token ${token} [${key}] in [x]`;
  return index.refuses([
    [{ avg_bucket: { buckets_pat: 'h' } }, unexpected('VALUE_STRING', 'buckets_pat')],
    [{ avg_bucket: { buckets_path: 'h', gap_policy: 1 } }, unexpected('VALUE_NUMBER', 'gap_policy')],
    [{ avg_bucket: { buckets_path: 'h', gap_policy: null } }, unexpected('VALUE_NULL', 'gap_policy')],
    [{ percentiles_bucket: { buckets_path: 'h', percents: 5 } }, unexpected('VALUE_NUMBER', 'percents')],
    [{ percentiles_bucket: { buckets_path: 'h', percents: ['y'] } }, 'number_format_exception: For input string: "y"'],
    [
      { extended_stats_bucket: { buckets_path: 'h', sigma: -1 } },
      'illegal_argument_exception: sigma must be a non-negative double',
    ],
  ]);
});
