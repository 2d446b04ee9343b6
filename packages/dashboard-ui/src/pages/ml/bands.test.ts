import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandsPath, readBands } from './bands.js';
import type { Job } from './ml-answers.js';

const job = { id: 'a', spanMs: 60_000, influencers: [], timeField: 'time', textOf: String, detectors: [] } as Job;
const queryOf = (path: string): URLSearchParams => new URL(path, 'http://a').searchParams;

test('a series is asked for by its detector, its value in quotes, and its forecast', () => {
  const detector = { function: 'mean', field_name: 'n', partition_field_name: 'host' };
  const path = bandsPath(job, { detectorIndex: 1, detector, value: 'a "b" \\' }, 'f');
  assert.ok(path.startsWith('/.ml-anomalies-a/_search?'));
  assert.equal(
    queryOf(path).get('q'),
    'result_type:"model_forecast" AND detector_index:"1" AND forecast_id:"f"' +
      ' AND partition_field_value:"a \\"b\\" \\\\"',
  );
  const plain = bandsPath(job, { detectorIndex: 0, detector: { function: 'count' }, value: '' }, null);
  assert.equal(queryOf(plain).get('q'), 'result_type:"model_plot" AND detector_index:"0"');
  assert.equal(queryOf(plain).get('sort'), 'timestamp:desc');
});

test('bounds of a step are the sum of those of counts, the mean of others', () => {
  const at = (timestamp: number, n: number) => ({
    _source: { timestamp, model_median: n, model_lower: n - 1, model_upper: n + 1 },
  });
  const answer = { hits: { hits: [at(180_000, 6), at(60_000, 4), at(0, 2)] } };
  assert.deepEqual(readBands(answer, 'model_plot', 120_000, 'count'), [
    { at: 0, value: 6, lower: 4, upper: 8 },
    { at: 120_000, value: 6, lower: 5, upper: 7 },
  ]);
  assert.deepEqual(readBands(answer, 'model_plot', 120_000, 'mean')[0], { at: 0, value: 3, lower: 2, upper: 4 });
  assert.deepEqual(readBands({}, 'model_forecast', 60_000, 'mean'), []);
});
