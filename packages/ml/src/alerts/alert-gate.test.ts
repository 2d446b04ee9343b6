import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BucketResult, RecordResult } from '@shoal/learning';
import { parseJob } from '../jobs/job-config.js';
import { checkWebhook, parseAlert, parseWebhook } from './alert-config.js';
import { AlertGate } from './alert-gate.js';

const SITE = { nowMs: 0, memoryMostBytes: 2 ** 30, items: () => new Set<string>() };
const jobWith = (alert: object) =>
  parseJob(
    'j',
    {
      analysis_config: {
        bucket_span: '5m',
        detectors: [{ function: 'mean', field_name: 'v', partition_field_name: 'p', by_field_name: 'b' }],
        influencers: ['host'],
      },
      ...{ data_description: {}, alert },
    },
    SITE,
  );
const gateOf = (alert: object): AlertGate => {
  const job = jobWith(alert);
  return new AlertGate(job, job.alert!);
};
const record = (partition: string, by: string, score: number): RecordResult => ({
  ...{ detector: 0, splits: { partition, by, over: null }, rarity: score / 10, score, ranked: score },
  ...{ probability: 0.001, typical: [1], actual: [9], multiBucket: -5, usualChange: 1, isSpike: true, periodS: 0 },
  ...{ part: null, hasStates: false, isFirst: false, influencers: [{ field: 'host', values: ['h1'] }] },
});
const bucket = (time: number, records: readonly RecordResult[], score = 0): BucketResult => ({
  ...{ time, events: 1, score, ranked: score, rarity: score / 10, probability: 0.001, isInterim: false, records },
  influencers: [{ field: 'host', value: 'h1', score: 90, ranked: 90, rarity: 5, probability: 0.001 }],
  ...{ scheduledEvents: [], changes: [], plots: [], moves: [] },
});
const groups = (gate: AlertGate, ...buckets: readonly BucketResult[]) =>
  buckets.map((one) => gate.take(one).map(({ source }) => source['group']));

test('a series has one alert until its cooldown is over; others have theirs', () => {
  const gate = gateOf({ cooldown: '10m' });
  const strange = (time: number, by = 'x') => bucket(time, [record('a', by, 80)]);
  assert.deepEqual(groups(gate, strange(0), strange(300), strange(300, 'y'), strange(600)), [
    [{ p: 'a', b: 'x' }],
    [],
    [{ p: 'a', b: 'y' }],
    [{ p: 'a', b: 'x' }],
  ]);
});

test('results below the score are none, and a group has the alert of its highest result', () => {
  const gate = gateOf({ group_by: ['p'], score: 70 });
  const [alert, ...more] = gate.take(bucket(0, [record('a', 'x', 75), record('a', 'y', 95), record('b', 'x', 60)]));
  assert.deepEqual([alert!.source['score'], alert!.source['group'], more], [95, { p: 'a' }, []]);
  assert.match(
    String(alert!.source['message']),
    /^job \[j\]: one bucket of \d+ without anomalies shows as much: mean was 9/,
  );
});

test('a bucket that is judged again has alerts of the same ids', () => {
  const kept = gateOf({}).toJson();
  const [first, second] = [gateOf({}), gateOf({})];
  second.restore(kept);
  assert.deepEqual(second.take(bucket(0, [record('a', 'x', 80)])), first.take(bucket(0, [record('a', 'x', 80)])));
  assert.deepEqual(second.toJson(), first.toJson());
});

test('alerts on buckets and influencers', () => {
  const ofBucket = gateOf({ on: 'bucket' });
  assert.deepEqual(groups(ofBucket, bucket(0, [], 80), bucket(300, [], 99), bucket(3600, [], 80)), [[{}], [], [{}]]);
  const ofHost = gateOf({ on: 'influencer', group_by: ['host'] });
  assert.deepEqual(groups(ofHost, bucket(0, [record('a', 'x', 80)])), [[{ host: 'h1' }]]);
});

test('what makes no sense of an alert is refused by name', () => {
  for (const [alert, reason] of [
    [{ on: 'moon' }, /\[alert\.on\]/],
    [{ score: 0 }, /\[alert\.score\]/],
    [{ score: 101 }, /\[alert\.score\]/],
    [{ group_by: ['other'] }, /\[other\], which is no split field/],
    [{ on: 'bucket', group_by: ['p'] }, /no meaning/],
    [{ index: 'logs' }, /\[alert\.index\]/],
    [{ index: '.security' }, /\[alert\.index\]/],
    [{ webhook: 'file:///etc/passwd' }, /http or https/],
    [{ webhook: 'no address' }, /no address/],
    [{ webhook: 'http://me:secret@host/' }, /name or password/],
    [{ cooldown: '-1h' }, /cooldown/],
    [{ unknown: 1 }, /unknown/],
  ] as const)
    assert.throws(() => jobWith(alert), reason);
});

test('a webhook goes to hosts of the setting alone', () => {
  const hook = parseWebhook('https://hooks.example.org/a?b=c');
  assert.deepEqual(hook, { scheme: 'https', host: 'hooks.example.org', port: 443, path: '/a?b=c' });
  checkWebhook(hook, ['*.example.org:443']);
  for (const allowed of [[], ['hooks.example.org:80'], ['example.org:443']])
    assert.throws(() => checkWebhook(hook, allowed), /allowed_hosts/);
  assert.equal(parseAlert({ webhook: 'http://[::1]:8080/x' }, []).webhook!.host, '::1');
});
