import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';
import { waitsForNodes } from '../metadata/state-recovery.js';

const again = (id: string) => testNode(id, { ephemeralId: `again-${id}` });

/** Three nodes with one index, all stopped; the first is the master of what is started again. */
function restarted(nodeSettings: Readonly<Record<string, string>>): TestCluster {
  const c = new TestCluster([testNode('n1'), testNode('n2'), testNode('n3')]).withStores();
  c.create('a', 1, 1);
  c.settle();
  c.extra = { ...c.extra, nodeSettings };
  const left = [...c.state.nodes.values()].map(({ id, ephemeralId }) => ({ id, ephemeralId }));
  c.run('elected', { masterNodeId: 'n1', nodes: [again('n1')], left });
  return c;
}

const started = (c: TestCluster): number => c.copies().filter((copy) => copy.state !== 'UNASSIGNED').length;

test('a cluster without these settings waits for nothing', () => {
  assert.equal(waitsForNodes(restarted({}).state), false);
  assert.equal(waitsForNodes(restarted({ 'gateway.recover_after_time': '0ms' }).state), false);
});

test('copies are placed at once when as many data nodes as expected are there', () => {
  const c = restarted({ 'gateway.expected_data_nodes': '3' });
  assert.deepEqual(
    c.state.blocks.map(({ id, description }) => [id, description]),
    [[1, 'state not recovered / initialized']],
  );
  c.run('reroute', {});
  c.run('node-join', { nodes: [again('n2')] });
  assert.deepEqual([waitsForNodes(c.state), started(c)], [true, 0]);
  c.run('node-join', { nodes: [again('n3')] });
  assert.deepEqual([waitsForNodes(c.state), c.state.blocks.length], [false, 0]);
  c.run('reroute', {});
  assert.ok(started(c) > 0);
});

test('when the time is over the nodes that are there have to do, unless they are fewer than must be', () => {
  const c = restarted({
    'gateway.expected_data_nodes': '3',
    'gateway.recover_after_data_nodes': '2',
    'gateway.recover_after_time': '10s',
  });
  c.run('recover-state', {});
  assert.equal(waitsForNodes(c.state), true);
  c.run('node-join', { nodes: [again('n2')] });
  assert.equal(waitsForNodes(c.state), true);
  c.run('recover-state', {});
  assert.equal(waitsForNodes(c.state), false);
});

test('a new master of a cluster that went on does not wait', () => {
  const c = new TestCluster([testNode('n1'), testNode('n2')]);
  c.extra = { nodeSettings: { 'gateway.expected_data_nodes': '3' } };
  c.state = { ...c.state, version: 7 };
  c.run('elected', { masterNodeId: 'n2', nodes: [testNode('n2')], left: [{ id: 'n1', ephemeralId: 'e-n1' }] });
  assert.equal(waitsForNodes(c.state), false);
});
