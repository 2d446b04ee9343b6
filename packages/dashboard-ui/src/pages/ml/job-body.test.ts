import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedBody, jobBody, jobProblem, readSeries, seriesBody } from './job-body.js';

const form = {
  id: 'sizes',
  indices: 'logs-*, web',
  timeField: '@timestamp',
  measure: 'mean',
  field: 'size',
  splitBy: 'host',
  bucketSpan: '15m',
} as const;

test('a form becomes a job and a datafeed', () => {
  assert.equal(jobProblem(form), null);
  assert.deepEqual(jobBody(form), {
    analysis_config: {
      bucket_span: '15m',
      detectors: [{ function: 'mean', field_name: 'size', partition_field_name: 'host' }],
      influencers: ['host'],
    },
    data_description: { time_field: '@timestamp', time_format: 'epoch_ms' },
  });
  const { model_plot_config: plot } = jobBody({ ...form, splitBy: '' }) as { readonly model_plot_config?: object };
  assert.deepEqual(plot, { enabled: true });
  assert.deepEqual(feedBody(form), { job_id: 'sizes', indices: ['logs-*', 'web'], query: { match_all: {} } });
  for (const wrong of [{ id: 'No' }, { indices: ' ' }, { field: '' }, { bucketSpan: 'long' }, { timeField: '' }])
    assert.notEqual(jobProblem({ ...form, ...wrong }), null);
});

test('a series has the measure, or counts documents', () => {
  const request = { timeField: 't', measure: 'mean', field: 'size', only: null, interval: null } as const;
  assert.match(JSON.stringify(seriesBody(request)), /"aggs":\{"value":\{"avg":\{"field":"size"\}\}\}/);
  assert.doesNotMatch(JSON.stringify(seriesBody({ ...request, measure: 'count' })), /"value"/);
  const buckets = [
    { key: 1, doc_count: 2, value: { value: 1.5 } },
    { key: 2, doc_count: 3 },
  ];
  assert.deepEqual(readSeries({ aggregations: { time: { buckets } } }), [
    { at: 1, value: 1.5 },
    { at: 2, value: 3 },
  ]);
  assert.deepEqual(readSeries(null), []);
});
