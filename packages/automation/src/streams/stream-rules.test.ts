import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, type DataStream, emptyState, type IndexMetadata } from '@shoal/state';
import { defaultRollover, streamWork } from './stream-rules.js';

const DAY_MS = 86_400_000;

const meta = (uuid: string, rolledMs: number | null, settings = {}): IndexMetadata =>
  ({
    uuid,
    name: uuid,
    settings: { 'index.creation_date': '0', ...settings },
    ...(rolledMs === null ? {} : { rolloverInfo: { logs: { time: rolledMs } } }),
  }) as unknown as IndexMetadata;

function world(lifecycle: Record<string, unknown> | undefined, metas: readonly IndexMetadata[]): ClusterState {
  const stream = { name: 'logs', indices: metas.map(({ uuid }) => uuid), ...(lifecycle ? { lifecycle } : {}) };
  return {
    ...emptyState(),
    indices: new Map(metas.map((one) => [one.uuid, one])),
    customs: new Map([['dataStreams', { logs: stream }]]),
  };
}

const work = (state: ClusterState, nowMs: number): Record<string, string[]> => {
  const { candidates, expired } = streamWork(state, nowMs);
  return { candidates: candidates.map((one) => one.meta.uuid), expired: expired.map((one) => one.meta.uuid) };
};

const THREE = [meta('a', DAY_MS), meta('b', 5 * DAY_MS), meta('c', null)];

test('indices go when they were rolled over for the retention, the write index never', () => {
  const state = world({ data_retention: '7d' }, THREE);
  assert.deepEqual(work(state, 8 * DAY_MS - 1), { candidates: ['c'], expired: [] });
  assert.deepEqual(work(state, 8 * DAY_MS), { candidates: ['c'], expired: ['a'] });
  assert.deepEqual(work(state, 900 * DAY_MS), { candidates: ['c'], expired: ['a', 'b'] });
});

test('without retention nothing goes; switched off, or without lifecycle, nothing happens', () => {
  assert.deepEqual(work(world({}, THREE), 900 * DAY_MS), { candidates: ['c'], expired: [] });
  assert.deepEqual(work(world({ enabled: false, data_retention: '1d' }, THREE), 900 * DAY_MS), {
    candidates: [],
    expired: [],
  });
  assert.deepEqual(work(world(undefined, THREE), 900 * DAY_MS), { candidates: [], expired: [] });
});

test('an index with a policy is left to the policy, unless it prefers the lifecycle', () => {
  const policy = { 'index.lifecycle.name': 'p' };
  const lifecycle = { data_retention: '7d' };
  const others = [meta('b', 5 * DAY_MS), meta('c', null)];
  assert.deepEqual(work(world(lifecycle, [meta('a', DAY_MS, policy), ...others]), 8 * DAY_MS)['expired'], []);
  const prefers = { ...policy, 'index.lifecycle.prefer_ilm': 'false' };
  assert.deepEqual(work(world(lifecycle, [meta('a', DAY_MS, prefers), ...others]), 8 * DAY_MS)['expired'], ['a']);
});

for (const [retention, age] of [
  ['1d', '1h'],
  ['14d', '1d'],
  ['90d', '7d'],
  ['91d', '30d'],
  [undefined, '30d'],
] as const)
  test(`with a retention of ${retention} a write index is rolled over after ${age}`, () => {
    const stream = { lifecycle: retention === undefined ? {} : { data_retention: retention } } as unknown as DataStream;
    assert.deepEqual(defaultRollover(emptyState(), stream), {
      max_age: age,
      max_primary_shard_size: '50gb',
      min_docs: 1,
      max_primary_shard_docs: 200_000_000,
    });
  });

const series = (uuid: string, rolledMs: number | null, more = {}): IndexMetadata =>
  meta(uuid, rolledMs, { 'index.mode': 'time_series', 'index.time_series.end_time': '1970-01-06T00:00:00Z', ...more });

const ROUNDS = [
  { after: '1d', fixed_interval: '1h' },
  { after: '4d', fixed_interval: '1d' },
];

test('time series become coarser by the last round that is due, once no document comes any more', () => {
  const coarser = (nowMs: number, more = {}): readonly string[] => {
    const metas = [series('a', 4 * DAY_MS, more), series('b', null)];
    return streamWork(world({ downsampling: ROUNDS }, metas), nowMs).coarser.map(
      (one) => `${one.meta.uuid} ${one.interval}`,
    );
  };
  assert.deepEqual(coarser(5 * DAY_MS - 1), []);
  assert.deepEqual(coarser(5 * DAY_MS), ['a 1h']);
  assert.deepEqual(coarser(5 * DAY_MS - 1, { 'index.time_series.end_time': '1970-01-06T00:00:00Z' }), []);
  assert.deepEqual(coarser(6 * DAY_MS, { 'index.time_series.end_time': '1970-01-20T00:00:00Z' }), []);
  assert.deepEqual(coarser(6 * DAY_MS, { 'index.downsample.interval': '1h' }), []);
  assert.deepEqual(coarser(8 * DAY_MS, { 'index.downsample.interval': '1h' }), ['a 1d']);
  const plain = world({ downsampling: ROUNDS }, [meta('a', DAY_MS), meta('b', null)]);
  assert.deepEqual(streamWork(plain, 9 * DAY_MS).coarser, []);
});

test('what is to be deleted is not made coarser before', () => {
  const lifecycle = { data_retention: '2d', downsampling: ROUNDS };
  const found = streamWork(world(lifecycle, [series('a', DAY_MS), series('b', null)]), 9 * DAY_MS);
  assert.deepEqual([found.expired.length, found.coarser], [1, []]);
});

test('what is being made of an index goes with it when its time is over, whether it is whole, running or lost', () => {
  const lifecycle = { data_retention: '2d', downsampling: [ROUNDS[0]] };
  const state = world(lifecycle, [series('a', DAY_MS), series('b', null)]);
  const expired = (name: string, settings: object): readonly string[] => {
    const target = { ...meta('t', null, { 'index.downsample.interval': '1h', ...settings }), name };
    const indices = new Map([...state.indices, ['t', target]]);
    return streamWork({ ...state, indices }, 9 * DAY_MS).expired.flatMap((one) =>
      [one.meta, ...one.targets].map(({ uuid }) => uuid),
    );
  };
  const source = { 'index.downsample.source.uuid': 'a' };
  for (const status of ['success', 'started'])
    assert.deepEqual(expired('downsample-1h-a', { ...source, 'index.downsample.status': status }), ['a', 't']);
  assert.deepEqual(expired('downsample-1h-a', { 'index.downsample.source.uuid': 'z' }), ['a']);
  // What somebody made by hand, for no stream, stays.
  assert.deepEqual(expired('mine', source), ['a']);
});
