import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const cluster = (...ids: string[]): TestCluster => new TestCluster(ids.map((id) => testNode(id))).withStores();
const holders = (c: TestCluster): (string | null)[] =>
  c
    .copies()
    .map((copy) => copy.nodeId)
    .toSorted();
const put = (c: TestCluster, nodeId: string, type: string, more: Record<string, unknown> = {}) =>
  c.run('put-node-shutdown', { nodeId, type, reason: 'maintenance', delayMs: null, targetName: null, ...more });

test('a node that is to be removed is emptied, and gets copies again when it may stay', () => {
  const c = cluster('n1', 'n2');
  c.create('a', 2, 0);
  c.settle();
  put(c, 'n1', 'REMOVE');
  c.settle();
  assert.deepEqual(holders(c), ['n2', 'n2']);
  c.run('delete-node-shutdown', { nodeId: 'n1' });
  c.create('b', 1, 1);
  c.settle();
  assert.ok(c.copies().every((copy) => copy.state === 'STARTED'));
});

test('copies of a replaced node go to its successor, which gets nothing else meanwhile', () => {
  const c = cluster('n1', 'n2');
  c.create('a', 2, 0);
  c.settle();
  const kept = c.copies().filter((copy) => copy.nodeId === 'n2').length;
  c.run('node-join', { nodes: [testNode('n3')] });
  put(c, 'n1', 'REPLACE', { targetName: c.state.nodes.get('n3')!.name });
  c.settle();
  assert.equal(c.copies().filter((copy) => copy.nodeId === 'n1').length, 0);
  assert.equal(c.copies().filter((copy) => copy.nodeId === 'n2').length, kept);
});

test('copies wait for a node that an operator restarts as long as was said, five minutes unless told', () => {
  for (const [delayMs, expected] of [
    [null, 300_000],
    [600_000, 600_000],
    [1_000, 60_000],
  ] as const) {
    const c = cluster('n1', 'n2', 'n3');
    c.create('a', 1, 1);
    c.settle();
    const gone = c.copies().find((copy) => !copy.primary)!.nodeId!;
    put(c, gone, 'RESTART', { delayMs });
    c.leave(gone);
    const { reason, delayedUntilMs, atMs } = c.copies().find((copy) => copy.nodeId === null)!.unassigned!;
    assert.deepEqual([reason, delayedUntilMs! - atMs], ['NODE_RESTARTING', expected]);
  }
});

test('what was not announced cannot be taken back', () => {
  assert.throws(
    () => cluster('n1').run('delete-node-shutdown', { nodeId: 'n1' }),
    /node \[n1\] is currently not shutting down/,
  );
});
