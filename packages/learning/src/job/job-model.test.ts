import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionOf } from '../functions/catalogue.js';
import { Amounts } from '../functions/gather.js';
import type { DetectorSpec } from './detector.js';
import { JobModel, type JobSpec } from './job-model.js';

const SPAN = 900;

const detector = (name: string, rest: Partial<DetectorSpec> = {}): DetectorSpec => ({
  ...{ function: functionOf(name)!, field: null, by: null, over: null, partition: null },
  ...{ useNull: false, excludeFrequent: 'none', rules: [] },
  ...rest,
});

const spec = (detectors: readonly DetectorSpec[], rest: Partial<JobSpec> = {}): JobSpec => ({
  ...{ spanS: SPAN, detectors, influencers: [], summaryCount: null, categorization: null, pruneBuckets: 3000 },
  ...{ memoryLimitBytes: 64 * 1024 * 1024, latencyS: 0, calendar: [] },
  ...rest,
});

const ALL = [
  detector('count', { partition: 'host' }),
  detector('high_mean', { field: 'ms', by: 'service' }),
  detector('distinct_count', { field: 'user' }),
  detector('median', { field: 'ms' }),
  detector('varp', { field: 'ms' }),
  detector('rare', { by: 'user' }),
  detector('high_sum', { field: 'ms', over: 'user' }),
  detector('time_of_day', { by: 'user' }),
  detector('lat_long', { field: 'place' }),
  detector('count', { by: 'mlcategory' }),
];

/** Documents of bucket `i`, always the same ones. */
function* documents(i: number): Generator<{ time: number; row: Record<string, unknown> }> {
  for (let k = 0; k < 6; k++) {
    const noise = (i * 7919 + k * 104_729) % 97;
    const row = {
      ...{ host: `h${k % 2}`, service: `s${k % 3}`, user: `u${noise % 11}`, ms: 100 + noise + (i === 420 ? 4000 : 0) },
      ...{ place: `${50 + noise / 1000},${8 - noise / 1000}`, line: `user ${noise} logged ${k % 2 ? 'in' : 'out'}` },
    };
    yield { time: i * SPAN + k * 100, row };
  }
}

function feed(model: JobModel, from: number, to: number): unknown[] {
  for (let i = from; i < to; i++) for (const { time, row } of documents(i)) model.add(time, row);
  return model.takeResults();
}

test('a job that goes on from its state has the results and the state of one that never stopped', () => {
  const config = spec(ALL, { influencers: ['host'], categorization: { field: 'line', examplesMax: 4 } });
  const whole = new JobModel(config);
  const expected = [...feed(whole, 0, 410), ...feed(whole, 410, 450)];
  const first = new JobModel(config);
  const before = feed(first, 0, 410);
  const second = new JobModel(config);
  second.decode(first.encode());
  const after = feed(second, 410, 450);
  assert.deepEqual([...before, ...after], expected);
  assert.deepEqual(Buffer.from(second.encode()), Buffer.from(whole.encode()));
});

test('the bucket with a spike is the most anomalous one, and its record names the influencer', () => {
  const model = new JobModel(spec([detector('mean', { field: 'ms' })], { influencers: ['service'] }));
  for (let i = 0; i < 450; i++)
    for (const { time, row } of documents(i)) {
      const isSpike = i === 440 && row['service'] === 's1';
      model.add(time, { service: row['service'], ms: 100 + ((i * 61) % 97) / 6 + (isSpike ? 2000 : 0) });
    }
  const results = model.takeResults();
  const worst = results.toSorted((a, b) => b.score - a.score)[0]!;
  assert.equal(worst.time, 440 * SPAN);
  assert.ok(worst.score > 75);
  assert.deepEqual(worst.records[0]!.influencers, [{ field: 'service', values: ['s1'] }]);
  assert.equal(worst.influencers[0]!.value, 's1');
});

test('documents of finished buckets are counted and not used; with latency they are', () => {
  const late = (latencyS: number) => {
    const model = new JobModel(spec([detector('count')], { latencyS }));
    for (const time of [0, SPAN, 2 * SPAN, SPAN + 10, 3 * SPAN]) model.add(time, {});
    model.advanceTo(10 * SPAN);
    return { outOfOrder: model.counts.outOfOrder, events: model.takeResults().map(({ events }) => events) };
  };
  assert.deepEqual(late(0), { outOfOrder: 1, events: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0] });
  assert.deepEqual(late(2 * SPAN), { outOfOrder: 0, events: [1, 2, 1, 1, 0, 0, 0, 0, 0, 0] });
});

test('while an event of a calendar lasts nothing is reported or learnt', () => {
  const calendar = [{ description: 'new disks', from: 440 * SPAN, to: 441 * SPAN }];
  const values = (i: number) => 100 + ((i * 61) % 97) / 6 + (i === 440 ? 1000 : 0);
  const model = new JobModel(spec([detector('mean', { field: 'ms' })], { calendar }));
  for (let i = 0; i < 450; i++) model.add(i * SPAN, { ms: values(i) });
  const results = model.takeResults();
  const event = results.find(({ time }) => time === 440 * SPAN)!;
  assert.deepEqual([event.score, event.records.length, event.scheduledEvents], [0, 0, ['new disks']]);
  assert.ok(results.every(({ score }) => score < 75));
});

test('a job at its memory limit models no new series and counts what it refuses', () => {
  const model = new JobModel(spec([detector('mean', { field: 'ms', by: 'user' })], { memoryLimitBytes: 100_000 }));
  for (let i = 0; i < 3; i++) for (let k = 0; k < 2000; k++) model.add(i * SPAN, { ms: k, user: `u${k}` });
  assert.equal(model.memoryStatus, 'hard_limit');
  assert.ok(model.refused > 0 && model.fieldCounts.by < 2000);
});

test('near the memory limit series are judged without seasons, at it some wait, and the state stays the same', () => {
  const detectors = [detector('mean', { field: 'ms', by: 'user' })];
  const row = (i: number, k: number) => ({
    user: `u${k}`,
    ms: 100 + ((i * 7919 + k * 31) % 17) + (i === 50 ? 500 : 0),
  });
  const give = (model: JobModel, from: number, to: number) => {
    for (let i = from; i < to; i++) for (let k = 0; k < 1000; k++) model.add(i * SPAN, row(i, k));
    return model.takeResults();
  };
  for (const [memoryLimitBytes, status, judged] of [
    [10_000_000, 'ok', 1000],
    [1_200_000, 'soft_limit', 1000],
    [700_000, 'hard_limit', 400],
  ] as const) {
    const config = spec(detectors, { memoryLimitBytes });
    const model = new JobModel(config);
    give(model, 0, 40);
    const again = new JobModel(config);
    again.decode(model.encode());
    const results = give(model, 40, 52);
    assert.deepEqual(give(again, 40, 52), results);
    assert.deepEqual(again.encode(), model.encode());
    assert.ok(model.bytes < memoryLimitBytes + 64 * 1024, `${model.bytes}`);
    assert.deepEqual([model.memoryStatus, model.refused > 0], [status, status === 'hard_limit']);
    const { records } = results.find(({ time }) => time === 50 * SPAN)!;
    assert.ok(records.length >= judged && records.length < judged + 400, `${records.length} at ${memoryLimitBytes}`);
  }
});

test('a rule skips results; values that are no numbers make none', () => {
  const rules = [
    {
      ...{ skipsResult: true, skipsUpdate: true, scope: [] },
      conditions: [{ appliesTo: 'actual', operator: 'gt', value: 500 } as const],
    },
  ];
  const model = new JobModel(spec([detector('mean', { field: 'ms', rules })]));
  for (let i = 0; i < 450; i++) model.add(i * SPAN, { ms: i === 440 ? 5000 : 100 + ((i * 31) % 17) });
  for (const ms of [1e308, -1e308, 'NaN', 'text', '', null, [], {}, true, Number.MAX_VALUE, 5e-324])
    model.add(460 * SPAN, { ms });
  model.advanceTo(470 * SPAN);
  const results = model.takeResults();
  assert.equal(results.find(({ time }) => time === 440 * SPAN)!.records.length, 0);
  for (const { score, probability } of results) assert.ok(Number.isFinite(score) && Number.isFinite(probability));
});

test('buckets that are not complete are judged and not learnt', () => {
  const model = new JobModel(spec([detector('mean', { field: 'ms' })]));
  for (let i = 0; i < 450; i++) model.add(i * SPAN, { ms: 100 + ((i * 31) % 17) });
  model.takeResults();
  const before = Buffer.from(model.encode());
  model.add(449 * SPAN + 1, { ms: 9000 });
  const interim = model.interim()!;
  assert.ok(interim.isInterim && interim.records.length === 1 && interim.score > 75);
  assert.notDeepEqual(before, Buffer.from(model.encode()));
  assert.equal(model.takeResults().length, 0);
});

test('the first buckets of a long gap are judged, the others skipped, and documents that wait stay', () => {
  const model = new JobModel(spec([detector('count')], { latencyS: 2 * SPAN }));
  for (const bucket of [0, 1, 500_000, 500_001, 500_000]) model.add(bucket * SPAN, {});
  model.advanceTo(500_003 * SPAN);
  const results = model.takeResults();
  assert.equal(model.counts.outOfOrder, 0);
  assert.deepEqual([results.length, model.counts.buckets], [100_005, 100_005]);
  const late = results.slice(-5).map(({ time, events }) => [time / SPAN, events]);
  assert.deepEqual(late, [
    [499_998, 0],
    [499_999, 0],
    [500_000, 2],
    [500_001, 1],
    [500_002, 0],
  ]);
  assert.equal(results[99_999]!.time, 99_999 * SPAN);
});

/** Documents of bucket `i` in one millisecond: members with one value or several, with decimal values. */
const together = (i: number) =>
  Array.from({ length: 24 }, (_, k) => ({
    user: `u${(i * 7 + k * 5) % 16}`,
    service: `s${k % 2}`,
    ms: (((i * 7919 + k * 104_729) % 9973) + (i === 300 && k === 4 ? 90_000 : 0)) / 100,
  }));

type Together = ReturnType<typeof together>[number];

/** Adds documents as sums by their values, as columns give them. */
function addSums(model: JobModel, time: number, rows: readonly Together[]): void {
  const groups = new Map<string, Together[]>();
  for (const row of rows) {
    const key = `${row.user} ${row.service}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const group of groups.values()) {
    const values = group.map(({ ms }) => ms);
    const sum = values.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
    const ms = new Amounts(group.length, sum, 0, Math.min(...values), Math.max(...values));
    model.addGroup(time, { ...group[0]!, ms }, group.length);
  }
}

test('results depend neither on the order of documents of a time nor on whether these or their sums are added', () => {
  const detectors = [
    detector('high_sum', { field: 'ms', over: 'user' }),
    detector('high_count', { over: 'user', by: 'service' }),
    detector('mean', { field: 'ms', partition: 'service' }),
    detector('rare', { by: 'user' }),
  ];
  const config = spec(detectors, { influencers: ['user', 'service'] });
  const addEach = (model: JobModel, time: number, rows: readonly Together[]): void => {
    for (const row of rows) model.add(time, row);
  };
  const resultsOf = (add: typeof addEach): unknown[] => {
    const model = new JobModel(config);
    for (let i = 0; i < 320; i++) add(model, i * SPAN, together(i));
    model.advanceTo(321 * SPAN);
    const texts = (list: readonly unknown[]): string[] => list.map((one) => JSON.stringify(one)).sort();
    return model.takeResults().map(({ influencers, records, moves, ...rest }) => ({
      ...{ rest, influencers: texts(influencers), records: texts(records), moves: moves.length },
    }));
  };
  const inOrder = resultsOf(addEach);
  assert.ok(JSON.stringify(inOrder).includes('"u'));
  assert.deepEqual(
    resultsOf((model, time, rows) => addEach(model, time, rows.toReversed())),
    inOrder,
  );
  assert.deepEqual(resultsOf(addSums), inOrder);
});

test('documents that wait for latency count as memory, and buckets end early rather than that they pass it', () => {
  const [latencyS, memoryLimitBytes] = [40 * SPAN, 256 * 1024];
  const roomy = new JobModel(spec([detector('count')], { latencyS }));
  const tight = new JobModel(spec([detector('count')], { latencyS, memoryLimitBytes }));
  const text = 'x'.repeat(1000);
  for (const model of [roomy, tight]) for (let i = 0; i < 400; i++) assert.ok(model.add(i * 60, { text }));
  // 400 documents of 2 KB in 27 buckets.
  assert.ok(roomy.bytes > 400 * 2000);
  assert.equal(roomy.counts.buckets, 0);
  assert.ok(tight.bytes < memoryLimitBytes && tight.peakBytes < memoryLimitBytes);
  assert.ok(tight.counts.buckets > 15);
  assert.deepEqual(tight.add(0, { text }), false);
  const kept = new JobModel(spec([detector('count')], { latencyS, memoryLimitBytes }));
  kept.decode(tight.encode());
  assert.equal(kept.bytes, tight.bytes);
  for (const model of [roomy, tight]) model.advanceTo(100 * SPAN);
  const events = (model: JobModel): number => model.takeResults().reduce((sum, one) => sum + one.events, 0);
  assert.deepEqual([roomy, tight].map(events), [400, 400]);
});
