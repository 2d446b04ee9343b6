import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

function source(settings: Record<string, unknown> = {}): TestCluster {
  const c = new TestCluster(['n1', 'n2', 'n3'].map((id) => testNode(id)));
  c.create('s', 2, 0, { 'blocks.write': true, ...settings });
  c.settle();
  return c;
}

test('shrinking needs all shards on one node, and begins there', () => {
  const c = source();
  const shrink = (): unknown =>
    c.run('resize', { kind: 'shrink', source: 's', target: 't', body: { settings: { number_of_replicas: 0 } } });
  assert.throws(shrink, { reason: 'index s must have all shards allocated on the same node to shrink index' });
  c.run('update-settings', { uuids: [c.uuid('s')], settings: { 'index.routing.allocation.require._name': 'n3' } });
  c.settle();
  shrink();
  assert.deepEqual(c.picture('t'), ['p:n3']);
});

test('a mounted index has the files of a snapshot, and is neither shrunk nor split nor cloned', () => {
  const c = source();
  const meta = c.state.indices.get(c.uuid('s'))!;
  const settings = { ...meta.settings, 'index.store.type': 'snapshot' };
  c.state = { ...c.state, indices: new Map(c.state.indices).set(meta.uuid, { ...meta, settings }) };
  for (const kind of ['shrink', 'split', 'clone'])
    assert.throws(
      () => c.run('resize', { kind, source: 's', target: 't', body: { settings: { number_of_shards: 2 } } }),
      { reason: `can't ${kind} searchable snapshot index [s]` },
    );
});

test('a split shard begins next to the one it comes from', () => {
  const c = source();
  c.run('resize', {
    kind: 'split',
    source: 's',
    target: 't',
    body: { settings: { number_of_shards: 4, number_of_replicas: 0 } },
  });
  const [first, second] = c.picture('s').map((row) => row.replace('P', 'p'));
  assert.deepEqual(c.picture('t'), [first, first, second, second]);
});

test('a source that is missing is named without the resource; a split says first how many shards', () => {
  const c = source();
  const resize = (kind: string, body: unknown): unknown => c.run('resize', { kind, source: 'none', target: 't', body });
  assert.throws(() => resize('clone', {}), { meta: { index_uuid: '_na_', index: 'none' } });
  assert.throws(() => resize('split', {}), {
    reason: 'Validation Failed: 1: index.number_of_shards is required for split operations;',
  });
});
