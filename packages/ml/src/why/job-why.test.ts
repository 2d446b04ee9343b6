import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MlDoors } from '../ml-doors.js';
import { bucketCauses, type JobFacts, jobCauses } from './job-why.js';

const counts = (more: object = {}) => ({
  ...{ input_record_count: 1000, bucket_count: 200, latest_record_timestamp: 1_700_000_000_000 },
  ...more,
});
const facts = (more: Partial<JobFacts> = {}, data: object = {}): JobFacts => ({
  ...{
    id: 'j',
    spanS: 900,
    state: 'opened',
    summary: null,
    datafeed: null,
    feedFailure: null,
    nowMs: 1_700_000_000_000,
  },
  stats: { data_counts: counts(data), node: {}, model_size_stats: {} },
  ...more,
});
const whys = (given: JobFacts): string =>
  jobCauses(given)
    .map(({ why }) => why)
    .join('; ');

test('a job that takes data and judges it has no cause', () => {
  assert.deepEqual(jobCauses(facts()), []);
});

test('each reason why a job has no results is told with what to do', () => {
  const field = { field: 'ms', present: 500, missing: 0, first_value: '1', is_constant: true };
  const feed = { datafeed_id: 'd', state: 'started', assignment_explanation: 'no such index [x]' };
  for (const [given, expected] of [
    [facts({ state: 'closed' }), /closed and takes no data/],
    [facts({ state: 'failed' }), /has failed/],
    [facts({ datafeed: { ...feed, state: 'stopped' } }), /its datafeed is stopped/],
    [facts({ datafeed: { ...feed, state: 'stopped' }, feedFailure: 'unknown query [x]' }), /stopped: unknown query/],
    [facts({ datafeed: feed }), /cannot read: no such index/],
    [facts({}, { input_record_count: 0 }), /been given no documents/],
    [facts({ datafeed: { ...feed, assignment_explanation: '' } }, { input_record_count: 0 }), /found no documents/],
    [facts({}, { invalid_date_count: 900 }), /900 of 1000 documents have no time/],
    [facts({}, { latest_record_timestamp: 1_700_000_000 }), /looks like seconds read as milliseconds/],
    [facts({}, { out_of_order_timestamp_count: 400 }), /after their bucket was judged/],
    [facts({}, { out_of_order_timestamp_count: 400, latest_record_timestamp: 4e12 }), /2096-10-02.*yet to come/],
    [facts({}, { empty_bucket_count: 150 }), /150 of 200 buckets were empty/],
    [facts({}, { bucket_count: 3 }), /3 buckets were seen/],
    [facts({ summary: { fields: [field] } }), /always had the value \[1\]/],
    [facts({ summary: { fields: [{ ...field, present: 0, missing: 9 }] } }), /no document has the field \[ms\]/],
    [facts({ summary: { skipped: { results: 7, buckets: 2 } } }), /kept 7 values.*2 buckets lay within events/],
  ] as const) {
    assert.match(whys(given), expected);
    assert.ok(jobCauses(given).every(({ next }) => next.length > 5));
  }
  const size = { bucket_allocation_failures_count: 5, memory_status: 'hard_limit' };
  assert.match(
    whys(facts({ stats: { data_counts: counts(), node: {}, model_size_stats: size } })),
    /at its limit \(hard_limit\)/,
  );
});

test('a bucket that is worth nothing beside many series is not said to show nothing if it has a record', async () => {
  const source = { event_count: 5, initial_anomaly_score: 0 };
  const documents = { search: async () => ({ total: 1, hits: [{ id: 'b', source }], aggregations: {} }) };
  const causes = (hasRecords: boolean) =>
    bucketCauses({ documents } as unknown as MlDoors, facts(), 1_700_000_000_000, hasRecords);
  assert.deepEqual(await causes(true), []);
  assert.match((await causes(false))[0]!.why, /no series showed more/);
});
