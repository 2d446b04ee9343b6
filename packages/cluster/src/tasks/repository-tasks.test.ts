import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const folder = '/repo';

test('each change of a repository has a number of its own, and ends only under its master', () => {
  const cluster = new TestCluster(['n1', 'n2'].map((id) => testNode(id)));
  const { masterNodeId } = cluster.state;
  const begin = (nodeId: string | null, above: number) =>
    (cluster.run('begin-repository-change', { folder, nodeId, above }) as { number: number }).number;
  const end = (number: number, nodeId: string | null = masterNodeId) =>
    cluster.run('end-repository-change', { folder, nodeId, number });
  const first = begin(masterNodeId, 4);
  assert.equal(first, 5);
  end(first);
  const second = begin(masterNodeId, 0);
  assert.equal(second, 6);
  assert.throws(() => end(first), /another change of the snapshot repository was begun meanwhile/);
  assert.throws(() => end(second, 'gone'), /the master has changed/);
  assert.throws(() => begin('gone', 0), /the master has changed/);
  const before = cluster.state;
  end(second);
  // The confirmation is a change of the state: a master that others no longer follow cannot give it.
  assert.notEqual(cluster.state, before);
});
