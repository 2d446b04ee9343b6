import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const GB = 2 ** 30;

test('a flooded disk makes the indices on it read-only until it is below the high watermark again', () => {
  const c = new TestCluster(['n1', 'n2'].map((id) => testNode(id)));
  const free: Record<string, number> = { n1: 50 * GB, n2: 50 * GB };
  c.extra = { disk: (id) => ({ totalBytes: 100 * GB, freeBytes: free[id]! }) };
  c.create('one', 1, 0, { 'routing.allocation.require._name': 'n1' });
  c.create('two', 1, 0, { 'routing.allocation.require._name': 'n2' });
  c.settle();
  const blocks = (): string[] =>
    c.state.blocks.map((block) => `${c.state.indices.get(block.indexUuid!)!.name} ${block.id}`);
  free['n1'] = 4 * GB;
  c.run('disk-usage', {});
  assert.deepEqual(blocks(), ['one 12']);
  free['n1'] = 9 * GB;
  c.run('disk-usage', {});
  assert.deepEqual(blocks(), ['one 12'], 'between the marks it stays');
  free['n1'] = 11 * GB;
  c.run('disk-usage', {});
  assert.deepEqual(blocks(), []);
  assert.equal(c.state.indices.get(c.uuid('one'))!.settings['index.blocks.read_only_allow_delete'], undefined);
});

test('with room everywhere nothing changes', () => {
  const c = new TestCluster([testNode('n1')]);
  c.extra = { disk: () => ({ totalBytes: 100 * GB, freeBytes: 60 * GB }) };
  c.create('one', 1, 0);
  c.settle();
  const before = c.state;
  c.run('disk-usage', {});
  assert.equal(c.state, before);
});
