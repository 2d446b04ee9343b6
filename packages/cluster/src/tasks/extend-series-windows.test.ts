import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataStream, type FlatSettings, type IndexMetadata, isTimeSeries } from '@shoal/state';
import { SERIES_ROUTING as ROUTING } from '@shoal/values';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const HOUR_MS = 3_600_000;
const DIMENSION = { type: 'keyword', time_series_dimension: true };
const PROPERTIES = { host: DIMENSION, dc: { properties: { rack: DIMENSION } }, cpu: { type: 'double' } };

function clusterOf(settings: object, mappings: object = { properties: PROPERTIES }): TestCluster {
  const c = new TestCluster([testNode('n1')]);
  const template = { settings: { 'index.mode': 'time_series', ...settings }, mappings };
  c.run('put-index-template', { name: 't', body: { index_patterns: ['m-*'], data_stream: {}, template } });
  return c;
}

function indices(c: TestCluster): IndexMetadata[] {
  return dataStream(c.state, 'm-a')!.indices.map((uuid) => c.state.indices.get(uuid)!);
}

const windows = (c: TestCluster): [string, string][] =>
  indices(c).map(({ settings }) => [
    String(settings['index.time_series.start_time']),
    String(settings['index.time_series.end_time']),
  ]);

const rollOver = (c: TestCluster): unknown =>
  c.run('rollover', { alias: 'm-a', newName: null, body: {}, metConditions: [], answer: {} });

test('the first backing index takes two hours around now, the next one begins where it ends', () => {
  const c = clusterOf({});
  c.run('create-data-stream', { name: 'm-a' });
  assert.deepEqual(windows(c), [['2023-11-14T20:13:20.000Z', '2023-11-15T00:13:20.000Z']]);
  rollOver(c);
  assert.deepEqual(windows(c)[1], ['2023-11-15T00:13:20.000Z', '2023-11-15T02:13:20.000Z']);
  c.nowMs += 10 * HOUR_MS;
  rollOver(c);
  assert.deepEqual(windows(c)[2], ['2023-11-15T02:13:20.000Z', '2023-11-15T10:13:20.000Z']);
});

test('keyword dimensions route, those of dynamic templates by their pattern, unless a template says what does', () => {
  const path = (c: TestCluster): unknown => {
    c.run('create-data-stream', { name: 'm-a' });
    return indices(c)[0]!.settings['index.routing_path'];
  };
  assert.deepEqual(path(clusterOf({})), ['dc.rack', 'host']);
  assert.deepEqual(path(clusterOf({ 'index.routing_path': ['host'] })), ['host']);
  const dynamic_templates = [{ labels: { path_match: 'labels.*', mapping: DIMENSION } }];
  assert.deepEqual(path(clusterOf({}, { dynamic_templates, properties: { host: DIMENSION } })), ['host', 'labels.*']);
});

test('a template of time series without dimensions is refused when its stream begins', () => {
  const c = clusterOf({}, { properties: { cpu: { type: 'double' } } });
  assert.throws(() => c.run('create-data-stream', { name: 'm-a' }), {
    reason: '[index.mode=time_series] requires a non-empty [index.routing_path]',
  });
});

test('look_ahead_time and look_back_time say how far a window reaches, within their limits', () => {
  const c = clusterOf({ 'index.look_ahead_time': '1h', 'index.look_back_time': '1m' });
  c.run('create-data-stream', { name: 'm-a' });
  assert.deepEqual(windows(c), [['2023-11-14T22:12:20.000Z', '2023-11-14T23:13:20.000Z']]);
  assert.throws(() => clusterOf({ 'index.look_ahead_time': '8d' }), {
    reason: /failed to parse value \[8d\] for setting \[index.look_ahead_time\], must be <= \[7d\]/,
  });
});

test('the window of the write index is extended while it is written to, never shortened, and no other is', () => {
  const c = clusterOf({});
  c.run('create-data-stream', { name: 'm-a' });
  c.run('extend-series-windows', {});
  assert.equal(windows(c)[0]![1], '2023-11-15T00:18:20.000Z');
  const before = c.state;
  c.run('extend-series-windows', {});
  assert.equal(c.state.indices, before.indices);
  rollOver(c);
  c.nowMs += 3 * HOUR_MS;
  c.run('extend-series-windows', {});
  assert.deepEqual(windows(c), [
    ['2023-11-14T20:13:20.000Z', '2023-11-15T00:18:20.000Z'],
    ['2023-11-15T00:18:20.000Z', '2023-11-15T03:18:20.000Z'],
  ]);
});

test('aliases of an index of time series cannot route', () => {
  const c = clusterOf({});
  c.run('create-index', {
    name: 'i',
    body: {
      settings: { 'index.mode': 'time_series', 'index.routing_path': 'host' },
      mappings: { properties: PROPERTIES },
    },
  });
  const add = (alias: object): unknown =>
    c.run('update-aliases', { actions: [{ kind: 'add', uuids: [c.uuid('i')], aliases: ['a'], alias }] });
  const reason = 'routing is forbidden on CRUD operations that target indices in [index.mode=time_series]';
  assert.throws(() => add({ searchRouting: '1' }), { reason });
  assert.throws(() => add({ indexRouting: '1' }), { reason });
  add({});
});

test('copies of an index route as it does, also those of an index that an earlier version made', () => {
  const c = clusterOf({});
  const body = {
    settings: { 'index.mode': 'time_series', 'index.routing_path': 'host' },
    mappings: { properties: PROPERTIES },
  };
  c.run('create-index', { name: 'new', body });
  const { settings, mapping } = c.state.indices.get(c.uuid('new'))!;
  assert.equal(isTimeSeries({ settings }), true);
  const { [ROUTING]: _routing, ...old } = settings;
  const restore = (name: string, given: FlatSettings): boolean => {
    const restoredFrom = { repository: 'r', snapshot: 's', index: 'new', folder: '/r', files: [['f']], bytes: [1] };
    c.run('restore-index', { name, settings: given, mapping, aliases: {}, routingShards: 1024, restoredFrom });
    return isTimeSeries(c.state.indices.get(c.uuid(name))!);
  };
  assert.equal(restore('restored', settings), true);
  assert.equal(restore('restored-old', old), false);
  assert.equal(restore('restored-downsampled', { ...old, 'index.downsample.status': 'success' }), true);
});

test('mappings of streams and of time series show that documents have a timestamp, for good', () => {
  const c = clusterOf({});
  c.run('create-data-stream', { name: 'm-a' });
  const [meta] = indices(c);
  assert.deepEqual(meta!.mapping['_data_stream_timestamp'], { enabled: true });
  const put = (enabled: unknown): unknown =>
    c.run('put-mapping', { uuids: [meta!.uuid], mapping: { _data_stream_timestamp: { enabled } } });
  put(true);
  assert.throws(() => put(false), { reason: /Cannot update parameter \[enabled\] from \[true\] to \[false\]/ });
  assert.throws(() => put('odd'), { status: 400 });
});
