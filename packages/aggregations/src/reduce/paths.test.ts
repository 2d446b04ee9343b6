import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorText } from '@shoal/query/testing';
import { type Answer, aggregationFixture } from '../testing/aggregation-fixture.js';

/** Values and errors are those of Elasticsearch 8.12.0. */
const index = await aggregationFixture({
  mapping: { k: { type: 'keyword' }, n: { type: 'double' }, t: { type: 'date' }, none: { type: 'long' } },
  documents: [
    { k: 'a', n: 1, t: '2024-01-01' },
    { k: 'a', n: 3, t: '2024-01-05' },
    { k: 'x.y', n: 5, t: '2024-02-01' },
    { k: ['a', 'c'], n: 7, t: '2024-03-02' },
    { k: 'e', t: '2024-05-01' },
  ],
});

const METRICS = {
  avg: { avg: { field: 'n' } },
  st: { stats: { field: 'n' } },
  es: { extended_stats: { field: 'n' } },
  p: { percentiles: { field: 'n', percents: [50, 99.9] } },
  f: { filter: { range: { n: { gt: 2 } } }, aggs: { m: { max: { field: 'n' } } } },
  t: { terms: { field: 'k' }, aggs: { s: { sum: { field: 'n' } } } },
  none: { min: { field: 'none' } },
};
const months = { date_histogram: { field: 't', calendar_interval: 'month' }, aggs: METRICS };
const LEVEL = {
  h: months,
  g: { filter: { term: { k: 'a' } }, aggs: { h: months } },
  k: { terms: { field: 'k' }, aggs: { h: months } },
  n: { histogram: { field: 'n', interval: 2 } },
  avg: { avg: { field: 'n' } },
};

const SUMS: readonly (readonly [path: string, sum: number])[] = [
  ['h>_count', 5],
  ['h._count', 5],
  ['h[_count]', 5],
  ["h['_count']", 0],
  ['h._bucket_count', 0],
  ['h.x', 0],
  ['n._key', 6 + 4 + 2],
  ['h>avg', 2 + 5 + 7],
  ['h>avg.value', 14],
  ['h>avg[value]', 14],
  ['h>st.max', 15],
  ['h>st[max]', 15],
  ['h>es.sum_of_squares', 1 + 9 + 25 + 49],
  ['h>es.std_upper', 4 + 5 + 7],
  ['h>p.50', 14],
  ['h>p[50.0]', 14],
  ['h>p[99.9]', 2.998 + 5 + 7],
  ['h>f._count', 3],
  ['h>f>_count', 3],
  ['h>f.m', 15],
  ['h>f>m.value', 15],
  ['h>t._bucket_count', 1 + 1 + 2 + 1],
  ["h>t['a']>s", 4 + 7],
  ["h>t['a']>s.value", 11],
  ["h>t['a']>_count", 3],
  ["h>t['a']._count", 3],
  ["h>t['x.y']>s", 5],
  ["h>t['zz']>s", 0],
  ['h>none', 0],
  ['g>h>avg', 2 + 7],
  ['g>h._count', 3],
  ["k['a']>h>avg", 9],
  ["k['a']>h._count", 3],
  ["k['a']._count", 0],
  ["k>h['2024-01-01T00:00:00.000Z']>avg", 2],
];
for (const [path, sum] of SUMS)
  test(`the sum over the buckets of ${path} is that of 8.12`, async () => {
    const answer: Answer = await index.answer({ ...LEVEL, x: { sum_bucket: { buckets_path: path } } });
    assert.ok(Math.abs(answer.x.value - sum) < 1e-9, `${answer.x.value}`);
  });

const EXPECTED = 'buckets_path must reference either a number value or a single value numeric metric aggregation';
const FAULTS: readonly (readonly [path: string, error: string])[] = [
  ['', 'Validation Failed: 1: Invalid path [];'],
  ["h>t['a'", "Validation Failed: 1: Invalid path element [t['a'] in path [h>t['a'];"],
  ['none>avg', 'Validation Failed: 1: No aggregation found for path [none>avg];'],
  ['h>st.avg.x', 'Validation Failed: 1: No aggregation [st.avg] found for path [h>st.avg.x];'],
  ['h>_bucket_count', 'Validation Failed: 1: No aggregation [_bucket_count] found for path [h>_bucket_count];'],
  ['x', 'Validation Failed: 1: Cyclical dependency found with pipeline aggregator [x];'],
  ['g>_count', 'Validation Failed: 1: buckets_path aggregation does not exist for aggregation [x]: [g, _count];'],
  [
    'avg.value',
    'Validation Failed: 1: Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a ' +
      'multi-bucket aggregation for aggregation [x] found :org.elasticsearch.search.aggregations.metrics.' +
      'AvgAggregationBuilder for buckets path: avg.value;',
  ],
  ['h', `${EXPECTED}, got: [Bucket] at aggregation [h]`],
  ['h._key', `${EXPECTED}, got: [ZonedDateTime] at aggregation [_key]`],
  ['h>f', `${EXPECTED}, got: [InternalFilter] at aggregation [f]`],
  ['h>t', `${EXPECTED}, got: [StringTerms] at aggregation [t]`],
  ['h>t>s', `${EXPECTED}, got: [Object[]] at aggregation [t]`],
  ['h>p', `${EXPECTED}, but [p] contains multiple values. Please specify which to use.`],
  ['h>p.x', 'For input string: "x"'],
  ['h>avg.valu', 'path not supported for [avg]: [valu]'],
  ['h>st.foo', 'No enum constant org.elasticsearch.search.aggregations.metrics.InternalStats.Metrics.foo'],
  ['h>f.zz', 'Cannot find an aggregation named [zz] in [f]'],
];
for (const [path, error] of FAULTS)
  test(`the path [${path}] is refused as in 8.12`, () =>
    assert.rejects(
      () => index.answer({ ...LEVEL, x: { sum_bucket: { buckets_path: path } } }),
      (thrown: unknown) => errorText(thrown).endsWith(`: ${error}`),
    ));

const SORTABLE =
  'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations ' +
  'within the path and a final single-bucket or a metrics aggregation at the path end.';
const absent = (name: string): string =>
  `The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to sort ` +
  'the buckets.';
const ORDER_FAULTS: readonly (readonly [path: string, error: string])[] = [
  ['nothing', absent('nothing')],
  ['_term', absent('_term')],
  ['f>_count', absent('_count')],
  ['f._count', SORTABLE],
  ['t', SORTABLE],
  ['t>s', `${SORTABLE} [t] is not single-bucket.`],
  ["t['a']>s", "Key only allowed on last aggregation path element but got [t['a']]"],
  ['st', 'When ordering on a multi-value metrics aggregation a metric name must be specified.'],
  ['st.foo', 'Unknown metric name [foo] on multi-value metrics aggregation [st]'],
  ['p.25', 'Unknown metric name [25] on multi-value metrics aggregation [p]'],
  [
    'avg.x',
    'Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la "avg") ' +
      'or change it to "value" (a la "avg.value")',
  ],
];
test('orders by what has no number are refused on the shards as in 8.12', () =>
  index.refuses(
    ORDER_FAULTS.map(([path, error]) => [
      { terms: { field: 'k', order: { [path]: 'asc' } }, aggs: METRICS },
      `invalid_path: Invalid aggregation order path [${path}]. ${error} <- illegal_argument_exception: ${error}`,
    ]),
  ));

test('a bucket whose maximum is written as value orders as one without', async () => {
  const order = async (path: string): Promise<string> => {
    const answer: Answer = await index.answer({
      x: { terms: { field: 'k', order: { [path]: 'asc' } }, aggs: METRICS },
    });
    return answer.x.buckets.map((bucket: Answer) => bucket.key).join();
  };
  assert.equal(await order('f>m.value'), 'e,x.y,a,c');
  assert.equal(await order('f>m'), 'e,x.y,a,c');
  assert.equal(await order('f.doc_count'), 'e,c,x.y,a');
});
