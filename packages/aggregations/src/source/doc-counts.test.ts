import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, aggregationFixture } from '../testing/aggregation-fixture.js';

const EACH = 2_147_483_647;
const SUM = 4 * EACH;

const index = await aggregationFixture({
  mapping: {
    k: { type: 'keyword' },
    i: { type: 'integer' },
    d: { type: 'date' },
    g: { type: 'geo_point' },
    r: { type: 'integer_range' },
    ip: { type: 'ip' },
    n: { type: 'nested', properties: { i: { type: 'integer' } } },
  },
  documents: Array.from({ length: 4 }, () => ({
    ...{
      k: 'a',
      i: 1,
      d: '2024-01-01',
      g: '1,1',
      r: { gte: 1, lte: 1 },
      ip: '10.0.0.1',
      n: [{ i: 1 }, { i: 2 }],
      _doc_count: EACH,
    },
  })),
});

const ALL = { match_all: {} };

/** Aggregations that put all documents in one bucket. */
const WHOLE: readonly object[] = [
  { terms: { field: 'k' } },
  { terms: { field: 'k', execution_hint: 'map' } },
  { terms: { field: 'i' } },
  { terms: { field: 'nowhere', missing: 'none' } },
  { multi_terms: { terms: [{ field: 'k' }, { field: 'i' }] } },
  { composite: { sources: [{ k: { terms: { field: 'k' } } }] } },
  { histogram: { field: 'i', interval: 1 } },
  { histogram: { field: 'r', interval: 1 } },
  { date_histogram: { field: 'd', calendar_interval: 'month' } },
  { auto_date_histogram: { field: 'd', buckets: 3 } },
  { variable_width_histogram: { field: 'i', buckets: 2 } },
  { range: { field: 'i', ranges: [{ from: 0 }] } },
  { date_range: { field: 'd', ranges: [{ from: '2020' }] } },
  { geo_distance: { field: 'g', origin: '0,0', ranges: [{ from: 0 }] } },
  { ip_range: { field: 'ip', ranges: [{ from: '0.0.0.0' }] } },
  { ip_prefix: { field: 'ip', prefix_length: 8 } },
  { geohash_grid: { field: 'g' } },
  { geotile_grid: { field: 'g' } },
  { filter: ALL },
  { filters: { filters: [ALL] } },
  { adjacency_matrix: { filters: { x: ALL } } },
  { missing: { field: 'nowhere' } },
  { global: {} },
];

test('documents that stand for more than 2^31 together are counted', async () => {
  for (const aggregation of WHOLE)
    for (const aggs of [{}, { aggs: { m: { max: { field: 'i' } } } }]) {
      const { x }: Answer = await index.answer({ x: { ...aggregation, ...aggs } });
      const one = x.buckets === undefined ? x : x.buckets[0];
      assert.equal(one?.doc_count, SUM, JSON.stringify(aggregation));
    }
});

test('nested objects stand for themselves, their roots for what these stand for', async () => {
  const { x }: Answer = await index.answer({ x: { nested: { path: 'n' }, aggs: { back: { reverse_nested: {} } } } });
  assert.deepEqual([x.doc_count, x.back.doc_count], [8, SUM]);
});
