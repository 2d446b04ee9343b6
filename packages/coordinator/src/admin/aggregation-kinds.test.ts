import assert from 'node:assert/strict';
import test from 'node:test';
import { aggregationTypes, parseAggregations } from '@shoal/aggregations';
import { parseContext } from '@shoal/query';
import { aggregationKinds } from './aggregation-kinds.js';

const PARSE = parseContext();

test('aggregations that are served are listed in order of their names, those that are refused are not', () => {
  const names = Object.keys(aggregationKinds());
  assert.deepEqual(names, [...names].sort());
  for (const served of ['boxplot', 'adjacency_matrix', 'auto_date_histogram', 'multi_terms', 'matrix_stats'])
    assert.ok(names.includes(served), served);
  assert.ok(!names.includes('geohex_grid'));
  assert.throws(() => parseAggregations({ a: { geohex_grid: {} } }, {}, PARSE), /geohex_grid/);
  assert.equal(names.length, aggregationTypes.size);
});

test('each aggregation lists the kinds of its values as Elasticsearch 8.12 does', () => {
  const { avg, top_metrics: topMetrics, terms, string_stats: stringStats } = aggregationKinds();
  // With x-pack, which has aggregate_metric_double.
  assert.deepEqual(avg, { types: ['aggregate_metric', 'boolean', 'counter', 'date', 'numeric'] });
  assert.deepEqual(terms, { types: ['boolean', 'date', 'ip', 'keyword', 'numeric'] });
  assert.deepEqual(topMetrics, { types: ['other'] });
  assert.deepEqual(stringStats, { types: ['keyword'] });
});
