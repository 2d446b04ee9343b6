import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '@shoal/testing';
import fc from 'fast-check';
import { aggregationTypes, pipelineTypes } from './catalogue.js';
import { type Answer, assertNear, layoutsOf, textOver } from './testing/aggregation-fixture.js';

const DAY = 86_400_000;

const MAPPING = {
  n: { type: 'long' },
  d: { type: 'double' },
  k: { type: 'keyword' },
  t: { type: 'date' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
  g: { type: 'geo_point' },
  r: { type: 'integer_range' },
  u: { type: 'nested', properties: { v: { type: 'long' } } },
};

const document = fc.record(
  {
    n: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 2 }),
    d: fc.integer({ min: -100, max: 100 }).map((n) => n / 4),
    k: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'é', '\u{1f600}', '\uffee'), { maxLength: 3 }),
    t: fc.integer({ min: 0, max: 40 * DAY }),
    b: fc.boolean(),
    ip: fc.nat(5).map((n) => `10.0.${n % 2}.${n}`),
    g: fc.tuple(fc.integer({ min: -170, max: 170 }), fc.integer({ min: -80, max: 80 })),
    r: fc.tuple(fc.nat(20), fc.nat(9)).map(([gte, size]) => ({ gte, lte: gte + size })),
    u: fc.array(fc.record({ v: fc.nat(9) }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const byWeek = { date_histogram: { field: 't', fixed_interval: '7d' } };

const metrics = {
  sum: { sum: { field: 'd' } },
  avg: { avg: { field: 'n' } },
  distinct: { cardinality: { field: 'k' } },
};
const parent = (type: string, more: object = {}): object => ({
  x: { ...byWeek, aggs: { s: { sum: { field: 'd' } }, p: { [type]: { buckets_path: 's', ...more } } } },
});
const sibling = (type: string): object => ({
  x: { ...byWeek, aggs: { s: { sum: { field: 'd' } } } },
  p: { [type]: { buckets_path: 'x>s' } },
});
const onField = (type: string, field: string, more: object = {}): object => ({ x: { [type]: { field, ...more } } });
const bucketsOn = (type: string, field: string, more: object = {}): object => ({
  x: { [type]: { field, ...more }, aggs: metrics },
});

/** Requests of each type whose answer does not depend on which shard a document is in. */
const scriptedCount = {
  scripted_metric: {
    init_script: 'state.n = 0',
    map_script: "state.n += doc['k'].size() * params.by",
    combine_script: 'state',
    reduce_script: 'int sum = 0; for (s in states) { if (s != null) { sum += s.n } } return sum',
    params: { by: 3 },
  },
};

const REQUESTS: Readonly<Record<string, readonly object[]>> = {
  terms: [
    bucketsOn('terms', 'k', { size: 20 }),
    bucketsOn('terms', 'n', { size: 50, order: [{ _count: 'asc' }, { _key: 'desc' }] }),
    bucketsOn('terms', 'd', { size: 100, order: { avg: 'desc' } }),
    bucketsOn('terms', 'ip', { size: 3 }),
    { x: { terms: { field: 'k', missing: 'none' }, aggs: { y: { terms: { field: 'n', size: 50 }, aggs: metrics } } } },
  ],
  histogram: [bucketsOn('histogram', 'd', { interval: 5, offset: 2 }), bucketsOn('histogram', 'r', { interval: 4 })],
  rate: [{ x: { ...byWeek, aggs: { r: { rate: { field: 'n', unit: 'day' } } } } }],
  t_test: [{ x: { t_test: { a: { field: 'n' }, b: { field: 'd' } } } }],
  date_histogram: [bucketsOn('date_histogram', 't', { calendar_interval: 'week', time_zone: 'Europe/Paris' })],
  auto_date_histogram: [bucketsOn('auto_date_histogram', 't', { buckets: 5 })],
  range: [bucketsOn('range', 'n', { ranges: [{ to: 0 }, { from: 0, to: 5 }, { from: 3 }] })],
  date_range: [bucketsOn('date_range', 't', { ranges: [{ to: '1970-01-10' }, { from: '1970-01-05' }] })],
  ip_range: [bucketsOn('ip_range', 'ip', { ranges: [{ to: '10.0.1.0' }, { mask: '10.0.0.0/16' }] })],
  ip_prefix: [bucketsOn('ip_prefix', 'ip', { prefix_length: 24 })],
  filter: [{ x: { filter: { range: { n: { gte: 0 } } }, aggs: metrics } }],
  filters: [
    {
      x: {
        filters: { filters: [{ term: { k: 'a' } }, { exists: { field: 'd' } }], other_bucket: true },
        aggs: metrics,
      },
    },
  ],
  adjacency_matrix: [
    {
      x: { adjacency_matrix: { filters: { a: { term: { k: 'a' } }, n: { range: { n: { gte: 0 } } } } }, aggs: metrics },
    },
  ],
  global: [{ x: { global: {}, aggs: metrics } }],
  missing: [bucketsOn('missing', 'n')],
  nested: [{ x: { nested: { path: 'u' }, aggs: { s: { sum: { field: 'u.v' } }, t: { terms: { field: 'u.v' } } } } }],
  reverse_nested: [
    {
      x: {
        nested: { path: 'u' },
        aggs: { y: { terms: { field: 'u.v' }, aggs: { r: { reverse_nested: {}, aggs: metrics } } } },
      },
    },
  ],
  composite: [
    {
      x: {
        composite: {
          size: 7,
          sources: [
            { k: { terms: { field: 'k', missing_bucket: true } } },
            { n: { terms: { field: 'n', order: 'desc' } } },
          ],
        },
        aggs: metrics,
      },
    },
  ],
  geohash_grid: [bucketsOn('geohash_grid', 'g', { precision: 2 })],
  geotile_grid: [bucketsOn('geotile_grid', 'g', { precision: 3 })],
  geo_distance: [
    bucketsOn('geo_distance', 'g', { origin: [0, 0], unit: 'km', ranges: [{ to: 5000 }, { from: 4000 }] }),
  ],
  rare_terms: [bucketsOn('rare_terms', 'k', { max_doc_count: 3 })],
  multi_terms: [{ x: { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], size: 100 }, aggs: metrics } }],
  frequent_item_sets: [
    {
      x: {
        frequent_item_sets: {
          fields: [{ field: 'k', exclude: 'b' }, { field: 'n' }, { field: 'ip' }, { field: 'b' }],
          minimum_support: 0.05,
          size: 1000,
        },
      },
    },
  ],
  sampler: [{ x: { sampler: { shard_size: 100 }, aggs: metrics } }],
  random_sampler: [{ x: { random_sampler: { probability: 1, seed: 3 }, aggs: metrics } }],
  diversified_sampler: [
    { x: { diversified_sampler: { shard_size: 100, max_docs_per_value: 100, field: 'b' }, aggs: metrics } },
  ],
  avg: [onField('avg', 'd')],
  sum: [onField('sum', 'd')],
  min: [onField('min', 'n')],
  max: [onField('max', 't')],
  stats: [onField('stats', 'd')],
  extended_stats: [onField('extended_stats', 'd')],
  value_count: [onField('value_count', 'k')],
  cardinality: [onField('cardinality', 'k'), onField('cardinality', 'n')],
  percentiles: [onField('percentiles', 'd', { percents: [0, 50, 100] }), onField('percentiles', 'n')],
  percentile_ranks: [
    onField('percentile_ranks', 'n', { values: [-15, 0, 7] }),
    onField('percentile_ranks', 'd', { values: [0] }),
  ],
  median_absolute_deviation: [onField('median_absolute_deviation', 'd')],
  boxplot: [onField('boxplot', 'n')],
  weighted_avg: [{ x: { weighted_avg: { value: { field: 'n' }, weight: { field: 't' } } } }],
  geo_bounds: [onField('geo_bounds', 'g', { wrap_longitude: false })],
  geo_centroid: [onField('geo_centroid', 'g')],
  top_hits: [
    {
      x: {
        terms: { field: 'b' },
        aggs: {
          y: {
            top_hits: { size: 2, sort: [{ d: 'desc' }, { t: 'asc' }, { n: 'asc' }, { ip: 'asc' }], _source: false },
          },
        },
      },
    },
  ],
  top_metrics: [{ x: { top_metrics: { metrics: { field: 'd' }, sort: { d: 'desc' } } } }],
  matrix_stats: [{ x: { matrix_stats: { fields: ['d', 't'] } } }],
  string_stats: [onField('string_stats', 'k')],
  scripted_metric: [
    { x: scriptedCount },
    { x: { terms: { field: 'k' }, aggs: { c: scriptedCount } } },
    { x: { terms: { script: "doc['k'].size() == 0 ? null : doc['k'].value + doc['k'].size()" } } },
    { x: { sum: { field: 'd', script: '_value * 2' } } },
  ],
  avg_bucket: [sibling('avg_bucket')],
  sum_bucket: [sibling('sum_bucket')],
  min_bucket: [sibling('min_bucket')],
  max_bucket: [sibling('max_bucket')],
  stats_bucket: [sibling('stats_bucket')],
  extended_stats_bucket: [sibling('extended_stats_bucket')],
  percentiles_bucket: [sibling('percentiles_bucket')],
  change_point: [
    {
      x: { date_histogram: { field: 't', fixed_interval: '1d' }, aggs: { s: { sum: { field: 'd' } } } },
      p: { change_point: { buckets_path: 'x>s' } },
    },
  ],
  bucket_correlation: [
    {
      x: { range: { field: 'n', ranges: [{ to: 0 }, { from: 0 }] } },
      p: {
        bucket_correlation: {
          buckets_path: 'x>_count',
          function: { count_correlation: { indicator: { expectations: [-10, 10], doc_count: 1000 } } },
        },
      },
    },
  ],
  bucket_count_ks_test: [
    {
      x: { range: { field: 'n', ranges: [{ to: 0 }, { from: 0 }] } },
      p: { bucket_count_ks_test: { buckets_path: 'x>_count' } },
    },
  ],
  cumulative_sum: [parent('cumulative_sum')],
  derivative: [parent('derivative')],
  serial_diff: [parent('serial_diff')],
  normalize: [parent('normalize', { method: 'percent_of_sum' })],
  cumulative_cardinality: [
    {
      x: {
        ...byWeek,
        aggs: { c: { cardinality: { field: 'k' } }, p: { cumulative_cardinality: { buckets_path: 'c' } } },
      },
    },
  ],
  bucket_script: [parent('bucket_script', { buckets_path: { n: '_count' }, script: 'params.n * 2' })],
  bucket_selector: [parent('bucket_selector', { buckets_path: { n: '_count' }, script: 'params.n > 1' })],
  moving_fn: [parent('moving_fn', { window: 2, script: 'MovingFunctions.sum(values)' })],
  bucket_sort: [{ x: { ...byWeek, aggs: { ...metrics, p: { bucket_sort: { sort: [{ _key: 'desc' }], size: 3 } } } } }],
};

/** Types without such a request, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  variable_width_histogram: 'clusters depend on the order of values',
  inference: 'needs a trained model',
  categorize_text: 'categories depend on the order of texts',
  children: 'children lie on the shard of their parent',
  parent: 'children lie on the shard of their parent',
  time_series: 'only indices of the mode time_series have series',
  significant_terms: 'shards leave out terms that are not significant in them',
  significant_text: 'shards leave out terms that are not significant in them',
};

test('each type of the catalogues has a law here or a reason why not', () => {
  const types = [...aggregationTypes.keys(), ...pipelineTypes.keys()];
  assert.deepEqual([...Object.keys(REQUESTS), ...Object.keys(EXEMPT)].toSorted(), types.toSorted());
});

for (const [type, requests] of Object.entries(REQUESTS)) {
  test(`many shards and segments answer ${type} as one shard with one segment`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { maxLength: 40 }), async (documents) => {
        const [whole, ...others] = await layoutsOf({ mapping: MAPPING, documents });
        for (const request of requests) {
          const one: unknown = JSON.parse(await textOver(whole!, request, {}));
          for (const layout of others) assertNear(JSON.parse(await textOver(layout, request, {})), one);
        }
      }),
      { numRuns: runs(5) },
    );
  });
}

const withKeys = fc.array(
  fc.record({
    n: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 2 }),
    k: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'é', '\u{1f600}', '\uffee'), { maxLength: 3 }),
    t: fc.array(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 1 }),
  }),
  { maxLength: 60 },
);

test('terms, histograms and sums agree with counting by hand', async () => {
  await fc.assert(
    fc.asyncProperty(withKeys, async (all) => {
      const aggs = {
        k: { terms: { field: 'k', size: 50 } },
        h: { histogram: { field: 'n', interval: 7, min_doc_count: 1 } },
        s: { sum: { field: 'n' } },
      };
      const [, , shards] = await layoutsOf({ mapping: MAPPING, documents: all });
      const answer = JSON.parse(await textOver(shards!, aggs, {})) as Answer;
      const byTerm = new Map<string, number>();
      const byKey = new Map<number, number>();
      let sum = 0;
      for (const doc of all) {
        for (const term of doc.k) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
        for (const key of new Set(doc.n.map((n) => Math.floor(n / 7) * 7))) byKey.set(key, (byKey.get(key) ?? 0) + 1);
        sum += doc.n.reduce((total, n) => total + n, 0);
      }
      const expected = [...byTerm]
        .sort((a, b) => b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])))
        .map(([key, doc_count]) => ({ key, doc_count }));
      assert.deepEqual(answer.k.buckets, expected);
      assert.deepEqual(
        answer.h.buckets,
        [...byKey].sort((a, b) => a[0] - b[0]).map(([key, doc_count]) => ({ key, doc_count })),
      );
      assert.equal(answer.s.value, sum);
    }),
    { numRuns: runs(10) },
  );
});

test('paging through a composite gives every combination once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(withKeys, fc.integer({ min: 1, max: 5 }), async (all, size) => {
      const sources = [
        { k: { terms: { field: 'k' } } },
        { t: { date_histogram: { field: 't', fixed_interval: '7d' } } },
      ];
      const [whole, , shards] = await layoutsOf({ mapping: MAPPING, documents: all });
      const page = async (layout: typeof shards, composite: object): Promise<Answer> =>
        (JSON.parse(await textOver(layout!, { c: { composite: { sources, ...composite } } }, {})) as Answer).c;
      const paged: Answer[] = [];
      for (let after: Answer; ; ) {
        const { buckets, after_key } = await page(shards, { size, ...(after ? { after } : {}) });
        paged.push(...buckets);
        if (!after_key) break;
        after = after_key;
      }
      assert.deepEqual(paged, (await page(whole, { size: 1000 })).buckets);
    }),
    { numRuns: runs(10) },
  );
});
