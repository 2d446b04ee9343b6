import assert from 'node:assert/strict';
import { test } from 'node:test';
import { persistentTasks } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const started = (...names: readonly string[]): TestCluster => {
  const c = new TestCluster(names.map((name) => testNode(name, { roles: ['data', 'transform'] })));
  return c;
};
const begin = (c: TestCluster, id: string, role = 'transform', params: Record<string, unknown> = {}): void =>
  void c.run('start-persistent-task', { id, type: role, role, params: { id, ...params } });
const nodeOf = (c: TestCluster, id: string): string | null => persistentTasks(c.state)[id]!.node;

test('a task goes to the node with its role that does the fewest', () => {
  const c = started('n1', 'n2');
  for (const id of ['a', 'b', 'c', 'd']) begin(c, id);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => nodeOf(c, id)),
    ['n1', 'n2', 'n1', 'n2'],
  );
  begin(c, 'e', 'ml');
  assert.equal(nodeOf(c, 'e'), null);
  assert.equal(persistentTasks(c.state)['e']!.explanation, 'no node has the role [ml]');
});

test('the tasks of a node that leaves go to another one in the same state, under a new allocation', () => {
  const c = started('n1', 'n2');
  begin(c, 'a');
  const before = persistentTasks(c.state)['a']!;
  c.run('update-persistent-task', { id: 'a', allocationId: before.allocationId, status: { state: 'going' } });
  c.run('node-left', { nodes: [{ id: 'n1', ephemeralId: 'e-n1' }], reason: 'gone' });
  const now = persistentTasks(c.state)['a']!;
  assert.deepEqual([now.node, now.allocationId, now.status], ['n2', before.allocationId + 1, null]);
  assert.throws(() => c.run('update-persistent-task', { id: 'a', allocationId: before.allocationId, status: {} }), {
    type: 'resource_not_found_exception',
  });
  c.run('remove-persistent-task', { id: 'a', allocationId: before.allocationId });
  assert.equal(nodeOf(c, 'a'), 'n2');
  c.run('remove-persistent-task', { id: 'a', allocationId: now.allocationId });
  assert.deepEqual(persistentTasks(c.state), {});
});

test('a task that ends gives another one that is there parameters in the same state', () => {
  const c = started('n1');
  for (const id of ['feed', 'job']) begin(c, id);
  const { allocationId } = persistentTasks(c.state)['feed']!;
  const merged = { id: 'job', params: { isClosing: true } };
  c.run('remove-persistent-task', { id: 'feed', allocationId: allocationId - 1, merged });
  assert.deepEqual(persistentTasks(c.state)['job']!.params, { id: 'job' });
  c.run('remove-persistent-task', { id: 'feed', allocationId, merged });
  assert.deepEqual(persistentTasks(c.state)['job']!.params, { id: 'job', isClosing: true });
  begin(c, 'feed');
  c.run('remove-persistent-task', { id: 'feed', merged: { ...merged, id: 'gone' } });
  assert.deepEqual(Object.keys(persistentTasks(c.state)), ['job']);
});

test('a task that has failed does not begin again when its node leaves', () => {
  const c = started('n1', 'n2');
  begin(c, 'a');
  const { allocationId } = persistentTasks(c.state)['a']!;
  const status = { state: 'failed', reason: 'no such field' };
  c.run('update-persistent-task', { id: 'a', allocationId, status });
  c.run('node-left', { nodes: [{ id: 'n1', ephemeralId: 'e-n1' }], reason: 'gone' });
  const now = persistentTasks(c.state)['a']!;
  assert.deepEqual([now.node, now.status], ['n2', status]);
});

test('a task without a node gets one as soon as one joins', () => {
  const c = started('n1');
  begin(c, 'a', 'ml');
  c.run('node-join', { nodes: [testNode('n9', { roles: ['ml'] })] });
  assert.equal(nodeOf(c, 'a'), 'n9');
});

test('a transform goes to a node of its version; where there is none it says what is against each node', () => {
  const c = new TestCluster([
    testNode('n1', { roles: ['data', 'transform'], version: '8.11.4' }),
    testNode('n2', { roles: ['data'] }),
  ]);
  begin(c, 'old', 'transform', { version: '8.9.0' });
  begin(c, 'a', 'transform', { version: '8.12.0' });
  assert.equal(nodeOf(c, 'old'), 'n1');
  assert.equal(nodeOf(c, 'a'), null);
  const versions = 'node has version: 8.11.4 but transform requires at least 8.12.0';
  assert.equal(
    persistentTasks(c.state)['a']!.explanation,
    `Not starting transform [a], reasons [n1:${versions}|n2:not a transform node]`,
  );
  const { allocationId } = persistentTasks(c.state)['a']!;
  c.run('node-left', { nodes: [{ id: 'n2', ephemeralId: 'e-n2' }], reason: 'gone' });
  assert.equal(persistentTasks(c.state)['a']!.explanation, `Not starting transform [a], reasons [n1:${versions}]`);
  assert.equal(persistentTasks(c.state)['a']!.allocationId, allocationId);
  c.run('node-join', { nodes: [testNode('n9', { roles: ['transform'], version: '8.13.0' })] });
  assert.equal(nodeOf(c, 'a'), 'n9');
  assert.equal(persistentTasks(c.state)['a']!.explanation, '');
});

test('an id has one task', () => {
  const c = started('n1');
  begin(c, 'a');
  assert.throws(() => begin(c, 'a'), { type: 'resource_already_exists_exception' });
  c.run('merge-persistent-task-params', { id: 'a', params: { stops: true } });
  assert.deepEqual(persistentTasks(c.state)['a']!.params, { id: 'a', stops: true });
});

test('a task that is started again never has an allocation of the task of this id before', () => {
  const c = started('n1', 'n2');
  begin(c, 'a');
  const before = persistentTasks(c.state)['a']!.allocationId;
  c.run('remove-persistent-task', { id: 'a' });
  c.state = { ...c.state, version: c.state.version + 1 };
  begin(c, 'a');
  assert.ok(persistentTasks(c.state)['a']!.allocationId > before);
});

test('while machine learning is held its tasks are on no node; they go on once it is not', () => {
  const c = new TestCluster([testNode('n1', { roles: ['data', 'ml', 'transform'] })]);
  begin(c, 'job', 'ml');
  begin(c, 'other');
  const { allocationId } = persistentTasks(c.state)['job']!;
  c.run('update-persistent-task', { id: 'job', allocationId, status: { state: 'opened' } });
  c.run('set-ml-upgrade-mode', { enabled: true });
  begin(c, 'late', 'ml');
  const held = persistentTasks(c.state);
  assert.deepEqual([held['job']!.node, held['late']!.node, held['other']!.node], [null, null, 'n1']);
  assert.deepEqual(held['job']!.status, { state: 'opened' });
  assert.match(held['job']!.explanation, /upgrade mode is enabled/);
  c.run('set-ml-upgrade-mode', { enabled: false });
  assert.deepEqual([nodeOf(c, 'job'), nodeOf(c, 'late')], ['n1', 'n1']);
  assert.ok(persistentTasks(c.state)['job']!.allocationId > allocationId);
});
