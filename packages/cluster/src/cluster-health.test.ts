import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from './allocation/testing/clusters.js';
import { clusterHealth, type ClusterHealth } from '@shoal/state';

const cluster = (...ids: string[]): TestCluster => new TestCluster(ids.map((id) => testNode(id))).withStores();
const health = (c: TestCluster): ClusterHealth => clusterHealth(c.state);

test('a new index is yellow until its primaries have started, then green with all its copies', () => {
  const c = cluster('n1', 'n2');
  c.create('a', 2, 1);
  assert.deepEqual([health(c).status, health(c).initializing, health(c).unassigned], ['yellow', 2, 2]);
  c.settle();
  assert.deepEqual([health(c).status, health(c).active, health(c).activePercent], ['green', 4, 100]);
});

test('a new index that no node may have is red', () => {
  const c = cluster('n1');
  c.create('a', 1, 0, { 'routing.allocation.require._name': 'other' });
  assert.equal(health(c).status, 'red');
});

test('a node that left: yellow, with copies that wait for it', () => {
  const c = cluster('n1', 'n2', 'n3');
  c.create('a', 3, 1);
  c.settle();
  c.leave('n1');
  assert.deepEqual(
    [health(c).status, health(c).numberOfNodes, health(c).unassigned, health(c).delayedUnassigned],
    ['yellow', 2, 2, 2],
  );
  c.nowMs += 60_000;
  c.run('reroute', {});
  assert.equal(health(c).delayedUnassigned, 0);
});

test('the only copy of a shard away: red, and a fetch in flight while nodes are asked', () => {
  const c = cluster('n1', 'n2');
  c.create('a', 1, 0);
  c.settle();
  c.extra = { stores: () => 'unknown' };
  c.leave(c.copies()[0]!.nodeId!);
  assert.deepEqual([health(c).status, health(c).inFlightFetches], ['red', 1]);
});

test('a copy that moves is one active copy that relocates', () => {
  const c = cluster('n1', 'n2');
  c.create('a', 1, 0);
  c.settle();
  const [from, to] = c.copies()[0]!.nodeId === 'n1' ? ['n1', 'n2'] : ['n2', 'n1'];
  c.run('reroute', { commands: [{ move: { index: 'a', shard: 0, from_node: from, to_node: to } }] });
  assert.deepEqual(
    [health(c).status, health(c).active, health(c).relocating, health(c).initializing, health(c).activePercent],
    ['green', 1, 1, 0, 100],
  );
});

test('health of all indices follows each change as if it were computed anew', () => {
  const c = cluster('n1', 'n2', 'n3');
  const isAsAnew = (): void =>
    assert.deepEqual({ ...health(c) }, { ...clusterHealth(c.state, [...c.state.indices.values()]) });
  for (const name of ['a', 'b', 'c']) {
    c.create(name, 2, 1);
    isAsAnew();
  }
  c.settle();
  isAsAnew();
  c.leave('n2');
  assert.equal(health(c).status, 'yellow');
  isAsAnew();
  c.run('delete-index', { uuids: [c.state.indices.keys().next().value] });
  isAsAnew();
});
