import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJob } from '../jobs/job-config.js';
import { parseDatafeed } from './datafeed-config.js';
import { checkWindowOf, shortBuckets } from './delayed-data.js';

test('buckets that had fewer documents than there are now are short of the rest', () => {
  const judged = new Map([
    [3000, 5],
    [1000, 2],
    [2000, 7],
    [4000, 0],
  ]);
  const there = new Map([
    [1000, 4],
    [2000, 7],
    [3000, 6],
    [9000, 1],
  ]);
  assert.deepEqual(shortBuckets(judged, there), [
    { startMs: 1000, missing: 2 },
    { startMs: 3000, missing: 1 },
  ]);
});

test('two hours or eight buckets are counted again, unless the datafeed says otherwise', () => {
  const site = { nowMs: 0, memoryMostBytes: 2 ** 30, items: () => new Set<string>() };
  const windowOf = (bucketSpan: string, more: object = {}): number => {
    const analysis = { bucket_span: bucketSpan, detectors: [{ function: 'count' }] };
    const job = parseJob('j', { analysis_config: analysis, data_description: {} }, site);
    return checkWindowOf(parseDatafeed('d', { job_id: 'j', indices: ['i'], ...more }), job);
  };
  assert.equal(windowOf('5m'), 7_200_000);
  assert.equal(windowOf('1h'), 8 * 3_600_000);
  assert.equal(windowOf('5m', { delayed_data_check_config: { enabled: true, check_window: '30m' } }), 1_800_000);
  assert.equal(windowOf('5m', { delayed_data_check_config: { enabled: false } }), 0);
  assert.throws(() => windowOf('5m', { delayed_data_check_config: { enabled: true, window: '30m' } }), /window/);
});
