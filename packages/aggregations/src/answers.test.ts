import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@shoal/errors';
import { decimalFormat } from '@shoal/values';
import { aggregationTypes, pipelineTypes } from './catalogue.js';
import { aggregationFixture } from './testing/aggregation-fixture.js';
import { estimate, addHash } from './metric/hyper-log-log.js';
import { hashNumber } from './metric/value-hash.js';
import { quantile, compress } from './metric/digest.js';
import { heuristicOf } from './bucket/significance.js';

/** Answers and messages below were given by Elasticsearch 8.12.0. */

const MAPPING = {
  n: { type: 'long' },
  d: { type: 'double' },
  k: { type: 'keyword' },
  t: { type: 'date' },
};
const DOCUMENTS = [
  { n: 1, d: 1, k: 'a', t: '2024-01-15T10:00:00Z' },
  { n: 2, d: 2, k: ['a', 'b'], t: '2024-02-01T00:00:00Z' },
  { n: 3, d: 3, k: 'b', t: '2024-04-30T23:00:00Z' },
  { n: 10, d: 10 },
];
const index = await aggregationFixture({ mapping: MAPPING, documents: DOCUMENTS });

const failure = async (aggs: object): Promise<ApiError> => {
  try {
    await index.answer(aggs);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new Error('no error');
};

test('percentiles of few values are exact, ranks count the middle of each value', async () => {
  const answer = await index.answer({
    p: { percentiles: { field: 'n', percents: [25, 95] } },
    r: { percentile_ranks: { field: 'n', values: [1, 2, 2.5, 3, 5, 10, 11] } },
  });
  assert.equal(answer.p.values['25.0'], 1.75);
  assert.ok(Math.abs(answer.p.values['95.0'] - 8.95) < 1e-12);
  assert.deepEqual(answer.r, {
    values: { '1.0': 12.5, '2.0': 37.5, '2.5': 50, '3.0': 53.125, '5.0': 65.625, '10.0': 87.5, '11.0': 100 },
  });
});

test('doubles print as Java prints them, counts and keys of whole numbers do not', async () => {
  const text = await index.text({
    s: { stats: { field: 'n' } },
    v: { value_count: { field: 'n' } },
    t: { terms: { field: 'n', size: 1 } },
    d: { terms: { field: 'd', size: 1 } },
    r: { range: { field: 'n', ranges: [{ from: 2 }] } },
  });
  assert.match(text, /"s":\{"count":4,"min":1.0,"max":10.0,"avg":4.0,"sum":16.0\}/);
  assert.match(text, /"v":\{"value":4\}.*"key":1,.*"key":1.0,.*"from":2.0/);
});

test('a pipeline on _count takes buckets without documents for zeros', async () => {
  const answer = await index.answer({
    h: { histogram: { field: 'n', interval: 1 } },
    a: { avg_bucket: { buckets_path: 'h>_count' } },
  });
  assert.equal(answer.a.value, 0.4);
});

test('a date histogram fills its gaps and shows keys in its zone', async () => {
  const answer = await index.answer({
    h: {
      date_histogram: { field: 't', calendar_interval: 'month', time_zone: '+01:00', format: 'yyyy-MM' },
      aggs: { s: { sum: { field: 'n' } } },
    },
  });
  assert.deepEqual(
    answer.h.buckets.map((b: { key_as_string: string; doc_count: number; s: { value: number } }) => [
      b.key_as_string,
      b.doc_count,
      b.s.value,
    ]),
    [
      ['2024-01', 1, 1],
      ['2024-02', 1, 2],
      ['2024-03', 0, 0],
      ['2024-04', 0, 0],
      ['2024-05', 1, 3],
    ],
  );
});

test('documents of one block that share a bucket are counted like any others', async () => {
  const near = await aggregationFixture({
    mapping: MAPPING,
    documents: [1, 2, 2, 7].map((n) => ({ n, d: n / 2, k: 'a', t: Date.parse('2024-01-15T10:00:00Z') + n })),
  });
  const aggs = {
    k: {
      terms: { field: 'k' },
      aggs: {
        h: {
          date_histogram: { field: 't', calendar_interval: 'day' },
          aggs: { n: { terms: { field: 'n' } }, s: { sum: { field: 'n' } }, st: { stats: { field: 'd' } } },
        },
      },
    },
    i: { histogram: { field: 'n', interval: 10 } },
  };
  const answer = await near.answer(aggs);
  const [bucket] = answer.k.buckets[0].h.buckets;
  assert.deepEqual(
    [bucket.doc_count, bucket.s.value, bucket.st],
    [4, 12, { count: 4, min: 0.5, max: 3.5, avg: 1.5, sum: 6 }],
  );
  assert.deepEqual(
    bucket.n.buckets.map((b: { key: number; doc_count: number }) => [b.key, b.doc_count]),
    [
      [2, 2],
      [1, 1],
      [7, 1],
    ],
  );
  assert.deepEqual(answer.i.buckets, [{ key: 0, doc_count: 4 }]);
});

test('extended bounds widen, hard bounds drop keys', async () => {
  const bounds = { field: 't', calendar_interval: 'month', format: 'yyyy-MM' };
  const wide = await index.answer({
    h: { date_histogram: { ...bounds, extended_bounds: { min: '2023-12', max: '2024-05' } } },
  });
  assert.deepEqual(
    wide.h.buckets.map((b: { key_as_string: string }) => b.key_as_string),
    ['2023-12', '2024-01', '2024-02', '2024-03', '2024-04', '2024-05'],
  );
  const narrow = await index.answer({
    h: { date_histogram: { ...bounds, hard_bounds: { min: '2024-02', max: '2024-03' } } },
  });
  assert.deepEqual(
    narrow.h.buckets.map((b: { key_as_string: string }) => b.key_as_string),
    ['2024-02'],
  );
});

test('unmapped fields give the empty result of the type', async () => {
  const answer = await index.answer(
    {
      a: { avg: { field: 'z' } },
      s: { sum: { field: 'z' } },
      t: { terms: { field: 'z' } },
      c: { cardinality: { field: 'z' } },
      st: { stats: { field: 'z' } },
      r: { rare_terms: { field: 'z' } },
    },
    { typedKeys: true },
  );
  assert.deepEqual(answer, {
    'avg#a': { value: null },
    'sum#s': { value: 0 },
    'sterms#t': { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    'cardinality#c': { value: 0 },
    'stats#st': { count: 0, min: null, max: null, avg: null, sum: 0 },
    'sterms#r': { buckets: [] },
  });
});

test('terms order by sub-aggregations, count what they leave out and show error bounds', async () => {
  const answer = await index.answer({
    k: {
      terms: { field: 'k', size: 1, order: { s: 'desc' }, show_term_doc_count_error: true },
      aggs: { s: { sum: { field: 'n' } } },
    },
  });
  assert.deepEqual(answer.k, {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: 2,
    buckets: [{ key: 'b', doc_count: 2, doc_count_error_upper_bound: 0, s: { value: 5 } }],
  });
});

test('pipelines read buckets, skip gaps and sort', async () => {
  const answer = await index.answer({
    h: {
      histogram: { field: 'n', interval: 1 },
      aggs: {
        s: { sum: { field: 'd' } },
        c: { cumulative_sum: { buckets_path: 's' } },
        dd: { derivative: { buckets_path: 's' } },
        sort: { bucket_sort: { sort: [{ s: { order: 'desc' } }], size: 2 } },
      },
    },
    best: { max_bucket: { buckets_path: 'h>s' } },
    mean: { avg_bucket: { buckets_path: 'h>s' } },
  });
  assert.deepEqual(
    answer.h.buckets.map((b: { key: number; c: { value: number } }) => [b.key, b.c.value]),
    [
      [10, 16],
      [3, 6],
    ],
  );
  assert.deepEqual(answer.best, { value: 10, keys: ['10.0'] });
  assert.deepEqual(answer.mean, { value: 6.5 });
});

test('nearest ranks, without interpolation, in percentiles_bucket', async () => {
  const few = await aggregationFixture({
    mapping: MAPPING,
    documents: [
      { n: 1, d: 1 },
      { n: 2, d: 5 },
      { n: 3, d: 10 },
    ],
  });
  const answer = await few.answer({
    h: { histogram: { field: 'n', interval: 1 }, aggs: { s: { sum: { field: 'd' } } } },
    p: { percentiles_bucket: { buckets_path: 'h>s', percents: [25, 50, 75] } },
  });
  assert.deepEqual(answer.p, { values: { '25.0': 5, '50.0': 5, '75.0': 10 } });
});

/** Requests, and the type and reason of their errors. */
const REFUSED: readonly (readonly [object, string, string])[] = [
  [
    { x: { moving_percentiles: {} } },
    'parsing_exception',
    'Unknown aggregation type [moving_percentiles] did you mean [percentiles]?',
  ],
  [{ x: {} }, 'parsing_exception', 'Missing definition for aggregation [x]'],
  [
    { x: [] },
    'parsing_exception',
    'Aggregation definition for [x starts with a [START_ARRAY], expected a [START_OBJECT].',
  ],
  [
    { 'x[': { avg: { field: 'n' } } },
    'parsing_exception',
    "Invalid aggregation name [x[]. Aggregation names can contain any character except '[', ']', and '>'",
  ],
  [
    { x: { avg: { field: 'n' }, sum: {} } },
    'parsing_exception',
    'Found two aggregation type definitions in [x]: [avg] and [sum]',
  ],
  [{ x: { avg: { field: 'n', foo: 1 } } }, 'x_content_parse_exception', '[avg] unknown field [foo]'],
  [
    { x: { avg: { field: ['n'] } } },
    'x_content_parse_exception',
    "[avg] field doesn't support values of type: START_ARRAY",
  ],
  [
    { x: { avg: {} } },
    'illegal_argument_exception',
    'Required one of fields [field, script], but none were specified. ',
  ],
  [
    { x: { avg: { field: 'n' }, aggs: { y: { avg: { field: 'n' } } } } },
    'aggregation_initialization_exception',
    'Aggregator [x] of type [avg] cannot accept sub-aggregations',
  ],
  [
    { x: { avg: { field: 'k' } } },
    'illegal_argument_exception',
    'Field [k] of type [keyword] is not supported for aggregation [avg]',
  ],
  [
    { x: { terms: { field: 'k', order: { zz: 'asc' } } } },
    'invalid_path',
    'Invalid aggregation order path [zz]. The provided aggregation [zz] either does not exist, or is a pipeline ' +
      'aggregation and cannot be used to sort the buckets.',
  ],
  [
    { x: { terms: { field: 'k' }, aggs: { g: { global: {} } } } },
    'illegal_argument_exception',
    'Aggregation [x] cannot have a global sub-aggregation [g]. Global aggregations can only be defined as top ' +
      'level aggregations',
  ],
  [{ x: { range: { field: 'n' } } }, 'illegal_argument_exception', 'No [ranges] specified for the [x] aggregation'],
  [
    { x: { composite: { sources: [{ a: { terms: { field: 'k' } } }], after: { b: 1 } } } },
    'illegal_argument_exception',
    'Missing value for [after.a]',
  ],
  [
    { x: { terms: { field: 'k' }, aggs: { c: { composite: { sources: [{ a: { terms: { field: 'k' } } }] } } } } },
    'illegal_argument_exception',
    '[composite] aggregation cannot be used with a parent aggregation of type: [TermsAggregatorFactory]',
  ],
  [
    { p: { avg_bucket: { buckets_path: 'zz' } } },
    'action_request_validation_exception',
    'Validation Failed: 1: No aggregation found for path [zz];',
  ],
  [
    { p: { cumulative_sum: { buckets_path: '_count' } } },
    'action_request_validation_exception',
    'Validation Failed: 1: cumulative_sum aggregation [p] must have a histogram, date_histogram or ' +
      "auto_date_histogram as parent but doesn't have a parent;",
  ],
];

test('requests that cannot be are refused with the words of Elasticsearch', async () => {
  for (const [aggs, type, reason] of REFUSED) {
    const error = await failure(aggs);
    assert.deepEqual([error.type, error.reason], [type, reason]);
  }
});

test('a value that cannot be read is the cause of the failure of its field', async () => {
  const causes: readonly (readonly [object, string])[] = [
    [{ x: { terms: { field: 'k', size: 0 } } }, '[size] must be greater than 0. Found [0] in [x]'],
    [{ x: { terms: { field: 'k', size: 'abc' } } }, 'For input string: "abc"'],
    [{ x: { histogram: { field: 'n', interval: 0 } } }, '[interval] must be >0 for histogram aggregation [x]'],
    [
      { x: { date_histogram: { field: 't', calendar_interval: '2d' } } },
      'The supplied interval [2d] could not be parsed as a calendar interval.',
    ],
    [
      { x: { date_histogram: { field: 't', calendar_interval: '1d', fixed_interval: '1h' } } },
      'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
    ],
    [
      { x: { date_histogram: { field: 't', fixed_interval: '1h', time_zone: 'foo/bar' } } },
      'Unknown time-zone ID: foo/bar',
    ],
    [{ x: { percentiles: { field: 'n', percents: [101] } } }, 'percent must be in [0,100], got [101.0]: [x]'],
    [
      { x: { geohash_grid: { field: 'n', precision: 13 } } },
      'Invalid geohash aggregation precision of 13. Must be between 1 and 12.',
    ],
  ];
  for (const [aggs, reason] of causes) assert.equal((await failure(aggs)).causedBy?.reason, reason);
});

test('more buckets than allowed end the request, gaps included', async () => {
  const error = await failure({ h: { histogram: { field: 'n', interval: 0.0001 } } });
  assert.deepEqual([error.status, error.causedBy?.type, error.rootCauses], [400, 'too_many_buckets_exception', []]);
});

test('aggregations nested too deep are refused', async () => {
  let aggs: object = { x: { avg: { field: 'n' } } };
  for (let i = 0; i < 60; i++) aggs = { x: { terms: { field: 'k' }, aggs } };
  assert.match((await failure(aggs)).reason ?? '', /nested deeper than/);
});

test('names of users never reach the prototype of an answer', async () => {
  const aggs = JSON.parse('{"__proto__":{"filters":{"filters":{"__proto__":{"match_all":{}}}}}}') as object;
  const answer = await index.answer(aggs);
  assert.deepEqual(Object.keys(answer), ['__proto__']);
});

test('an empty index has partial results too', async () => {
  const empty = await aggregationFixture({ mapping: MAPPING, documents: [] });
  assert.deepEqual(await empty.answer({ k: { terms: { field: 'k' } }, s: { stats: { field: 'n' } } }), {
    k: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
    s: { count: 0, min: null, max: null, avg: null, sum: 0 },
  });
});

test('significance scores are those of Elasticsearch', () => {
  const f = { subset: 1, subsetSize: 1, superset: 2, supersetSize: 5 };
  assert.ok(Math.abs(heuristicOf({})(f) - 1.5) < 1e-12);
  assert.ok(Math.abs(heuristicOf({ gnd: {} })(f) - 0.6500691363889293) < 1e-12);
  assert.equal(heuristicOf({ percentage: {} })(f), 0.5);
});

test('HyperLogLog is within three per cent, a digest within one', () => {
  const registers = new Uint8Array(2 ** 14);
  for (let i = 0; i < 200_000; i++) addHash(registers, 14, hashNumber(i));
  assert.ok(Math.abs(estimate(registers, 14) / 200_000 - 1) < 0.03);
  const values = Float64Array.from({ length: 50_000 }, (_, i) => i);
  const digest = compress(values, new Float64Array(values.length).fill(1), 500);
  for (const q of [0.01, 0.5, 0.99]) assert.ok(Math.abs(quantile(digest, q) - q * 50_000) < 500);
});

test('decimal formats are those of java.text.DecimalFormat', () => {
  assert.deepEqual(
    [
      ['0.00', 1.005],
      ['#,##0.0#', 1234.5],
      ['0%', 0.5],
      ['$#.##', 2.5],
      ['000', 7],
      ['0', 2.5],
    ].map(([p, v]) => decimalFormat(p as string)(v as number)),
    ['1.00', '1,234.5', '50%', '$2.5', '007', '2'],
  );
});

test('every registered type is named as it is registered', () => {
  for (const [name, type] of [...aggregationTypes, ...pipelineTypes]) assert.equal(type.name, name);
});
