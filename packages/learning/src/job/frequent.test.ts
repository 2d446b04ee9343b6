import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionOf } from '../functions/catalogue.js';
import type { DetectorSpec } from './detector.js';
import { JobModel, type JobSpec } from './job-model.js';

const SPAN = 900;
const detector = (name: string, rest: Partial<DetectorSpec>): DetectorSpec => ({
  ...{ function: functionOf(name)!, field: null, by: null, over: null, partition: null },
  ...{ useNull: false, excludeFrequent: 'none', rules: [] },
  ...rest,
});
const spec = (one: DetectorSpec, rest: Partial<JobSpec> = {}): JobSpec => ({
  ...{ spanS: SPAN, detectors: [one], influencers: [], summaryCount: null, categorization: null, pruneBuckets: 3000 },
  ...{ memoryLimitBytes: 64 * 1024 * 1024, latencyS: 0, calendar: [] },
  ...rest,
});

/** 400 buckets of a busy user and nine who come seldom; in the last one a user and the busy one do far too much. */
function surprising(excludeFrequent: DetectorSpec['excludeFrequent'], last: string): string[] {
  const model = new JobModel(spec(detector('high_sum', { field: 'v', over: 'user', excludeFrequent })));
  for (let i = 0; i < 401; i++) {
    const users = ['busy', `u${i % 25}`];
    for (const user of users) model.add(i * SPAN, { user, v: 10 + ((i * 7919) % 13) });
    if (i === 400) model.add(i * SPAN, { user: last, v: 1e6 });
  }
  model.advanceTo(401 * SPAN);
  return model
    .takeResults()
    .flatMap(({ records }) => records.filter(({ score }) => score > 50).map((r) => r.splits.over!));
}

test('what frequent values do is no result where they are excluded; what others do is', () => {
  assert.deepEqual(surprising('none', 'busy'), ['busy']);
  assert.deepEqual(surprising('over', 'busy'), []);
  assert.deepEqual(surprising('all', 'busy'), []);
  assert.deepEqual(surprising('by', 'busy'), ['busy']);
  assert.deepEqual(surprising('over', 'u0'), ['u0']);
});

test('a value of a by field that comes in each bucket is frequent, one that comes in few is not', () => {
  const results = (excludeFrequent: DetectorSpec['excludeFrequent']): string[] => {
    const model = new JobModel(spec(detector('mean', { field: 'v', by: 'host', excludeFrequent })));
    for (let i = 0; i < 1000; i++) {
      const value = 10 + ((i * 7919) % 13) + (i === 980 ? 1e5 : 0);
      model.add(i * SPAN, { host: 'often', v: value });
      if (i % 20 === 0) model.add(i * SPAN, { host: 'seldom', v: value });
    }
    const at = model.takeResults().filter(({ time }) => time === 980 * SPAN);
    const all = at.flatMap(({ records }) => records);
    return all.filter(({ score }) => score > 50).map((record) => record.splits.by!);
  };
  assert.deepEqual(results('none'), ['often', 'seldom']);
  assert.deepEqual(results('by'), ['seldom']);
});

test('which values are frequent is part of the state', () => {
  const config = spec(detector('high_sum', { field: 'v', over: 'user', excludeFrequent: 'all' }));
  const feed = (model: JobModel, from: number, to: number): unknown => {
    for (let i = from; i < to; i++)
      for (const user of ['busy', `u${i % 25}`]) model.add(i * SPAN, { user, v: (i * 7919) % 97 });
    return model.takeResults();
  };
  const whole = new JobModel(config);
  feed(whole, 0, 300);
  const second = new JobModel(config);
  second.decode(whole.encode());
  assert.deepEqual(feed(second, 300, 340), feed(whole, 300, 340));
  assert.deepEqual(Buffer.from(second.encode()), Buffer.from(whole.encode()));
});

test('plots say what was expected of the series that are named, before the bucket was learnt', () => {
  const one = detector('mean', { field: 'v', partition: 'host' });
  const model = new JobModel(spec(one, { plot: { terms: new Set(['a']) } }));
  for (let i = 0; i < 100; i++)
    for (const host of ['a', 'b']) model.add(i * SPAN, { host, v: 100 + (i % 5) + (i === 90 ? 1000 : 0) });
  const plots = model.takeResults().map(({ plots }) => plots);
  assert.deepEqual(plots.slice(0, 16).flat(), []);
  assert.ok(plots.slice(17).every((points) => points.length === 1 && points[0]!.splits.partition === 'a'));
  const { actual, lower, median, upper } = plots[90]![0]!;
  assert.equal(actual, 1100);
  assert.ok(lower < median && median < upper && upper < 200, `${lower} ${median} ${upper}`);
});
