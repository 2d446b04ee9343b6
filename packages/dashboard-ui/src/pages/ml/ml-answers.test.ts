import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectorName, readJob, readRecords, readScores, recordSplits, spanMsOf } from './ml-answers.js';

test('a job is read, and written for people with its digits', () => {
  const text =
    '{"count":1,"jobs":[{"job_id":"j","analysis_config":{"bucket_span":"1h","detectors":' +
    '[{"function":"mean","field_name":"v","partition_field_name":"p"}]},"custom_settings":{"n":9007199254740993}}]}';
  const job = readJob(JSON.parse(text))!;
  assert.deepEqual([job.id, job.spanMs, job.influencers, job.timeField], ['j', 3_600_000, [], 'time']);
  assert.equal(detectorName(job.detectors[0]!), 'mean(v) for each p');
  assert.match(job.textOf(text), /9007199254740993/);
  assert.equal(readJob({ jobs: [] }), null);
  assert.equal(spanMsOf(undefined), 300_000);
});

test('records and scores are read; answers that are none are empty', () => {
  const record = { timestamp: 1, record_score: 2, detector_index: 0, function: 'count', by_field_name: 'a' };
  assert.equal(recordSplits({ ...record, by_field_value: 'x', over_field_name: 'b' }), 'a: x, b: ');
  assert.deepEqual(readRecords(null), []);
  const influencer = { timestamp: 5, influencer_score: 7, influencer_field_name: 'h', influencer_field_value: 'x' };
  assert.deepEqual(readScores({ buckets: [{ timestamp: 5, anomaly_score: 9 }] }, { influencers: [influencer] }), [
    { at: 5, score: 9, name: null },
    { at: 5, score: 7, name: 'h: x' },
  ]);
  assert.deepEqual(readScores(null, undefined), []);
});
