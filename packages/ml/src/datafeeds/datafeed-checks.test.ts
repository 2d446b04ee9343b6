import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { type JobConfig, parseJob } from '../jobs/job-config.js';
import { checkDatafeed } from './datafeed-checks.js';
import { parseDatafeed } from './datafeed-config.js';

const SITE = { nowMs: 0, memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };

function jobWith(analysis: JsonObject): JobConfig {
  const detectors = [{ function: 'mean', field_name: 'v' }];
  return parseJob(
    'j',
    { analysis_config: { bucket_span: '15m', detectors, ...analysis }, data_description: { time_field: 'at' } },
    SITE,
  );
}

const SUMMARY = { summary_count_field_name: 'doc_count' };
const histogram = (interval: string): JsonObject => ({
  b: { date_histogram: { field: 'at', fixed_interval: interval }, aggs: { at: { max: { field: 'at' } } } },
});
const composite = (interval: string): JsonObject => ({
  b: { composite: { sources: [{ at: { date_histogram: { field: 'at', fixed_interval: interval } } }] } },
});
const terms = { b: { terms: { field: 'h' } } };
const window = (text: string): JsonObject => ({ delayed_data_check_config: { enabled: true, check_window: text } });

const check = (feed: JsonObject, analysis: JsonObject = {}, refused?: ApiError): void => {
  const calls = {
    check: () => {
      if (refused !== undefined) throw refused;
    },
  };
  checkDatafeed(parseDatafeed('f', { job_id: 'j', indices: ['i'], ...feed }), jobWith(analysis), calls);
};

test('a datafeed fits its job', () => {
  for (const aggs of [histogram('5m'), histogram('15m'), composite('15m'), { o: { terms: {}, aggs: histogram('5m') } }])
    check({ aggs, frequency: '15m' }, SUMMARY);
  check(window('15m'));
  check({ delayed_data_check_config: { enabled: false } });
});

const REFUSED: [JsonObject, JsonObject, RegExp][] = [
  [{ aggs: histogram('5m') }, {}, /must set summary_count_field_name; use doc_count or suggested$/],
  [{ aggs: terms }, SUMMARY, /^A date_histogram \(or histogram\) aggregation is required$/],
  [{ aggs: histogram('7m') }, SUMMARY, /^Aggregation interval \[420000ms\] must be a divisor of the bucket_span/],
  [{ aggs: composite('7m') }, SUMMARY, /^Aggregation interval \[420000ms\] must be a divisor of the bucket_span/],
  [{ aggs: histogram('1h') }, SUMMARY, /^Aggregation interval \[3600000ms\] must be less than or equal to/],
  [{ aggs: histogram('5m'), frequency: '7m' }, SUMMARY, /^Datafeed frequency \[7m\] must be a multiple of/],
  [window('1s'), {}, /check_window \[1s\] must be greater than the bucket_span \[15m\]$/],
  [window('9000d'), {}, /check_window \[9000d\] must be less than 10,000x the bucket_span \[15m\]$/],
];

for (const [feed, analysis, reason] of REFUSED)
  test(`a datafeed is refused: ${reason.source}`, () =>
    assert.throws(
      () => check(feed, analysis),
      (error: ApiError) => error.status === 400 && reason.test(error.reason ?? ''),
    ));

test('a query or aggregations that no search takes are refused with what is wrong', () => {
  const why = errors.parsing('unknown query [nope]');
  const refusedAs = (name: string, feed: JsonObject, analysis?: JsonObject): void =>
    assert.throws(
      () => check(feed, analysis, why),
      (error: ApiError) => error.status === 400 && error.reason === `[datafeed_config] failed to parse field [${name}]`,
    );
  refusedAs('query', { query: { nope: {} } });
});
