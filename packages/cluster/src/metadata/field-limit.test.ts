import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const fields = (count: number, from = 0): Record<string, unknown> => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${from + i}`, { type: 'keyword' }])),
});

function limited(max: number): TestCluster {
  const cluster = new TestCluster([testNode('n1')]);
  cluster.run('cluster-settings', { persistent: { 'shoal.cluster.max_fields': String(max) }, transient: {} });
  for (const name of ['a', 'b', 'c']) cluster.create(name, 1, 0);
  return cluster;
}

test('all indices together have as many fields as the cluster may keep', () => {
  const cluster = limited(20);
  const uuids = ['a', 'b', 'c'].map((name) => cluster.uuid(name));
  assert.throws(() => cluster.run('put-mapping', { uuids, mapping: fields(7) }), {
    type: 'illegal_argument_exception',
    reason:
      'this action would add [21] fields, but the mappings of this cluster have [0]/[20] fields; delete indices, ' +
      'map fewer fields, or give the nodes more memory and raise [shoal.cluster.max_fields]',
  });
  cluster.run('put-mapping', { uuids, mapping: fields(6) });
  assert.throws(() => cluster.run('dynamic-mapping', { indexUuid: uuids[0], mapping: fields(3, 10) }), {
    reason: /would add \[3\] fields, but the mappings of this cluster have \[18\]\/\[20\] fields/,
  });
  cluster.run('dynamic-mapping', { indexUuid: uuids[0], mapping: fields(2, 10) });
  // What adds nothing is taken at the limit.
  cluster.run('put-mapping', { uuids, mapping: fields(6) });
});

test('fields below objects and beside others count, each once', () => {
  const cluster = limited(4);
  const [a] = [cluster.uuid('a')];
  const inner = {
    o: { properties: { x: { type: 'text', fields: { raw: { type: 'keyword' } } }, y: { type: 'long' } } },
  };
  cluster.run('put-mapping', { uuids: [a], mapping: { properties: inner } });
  assert.throws(() => cluster.run('put-mapping', { uuids: [a], mapping: fields(1) }), { reason: /\[4\]\/\[4\]/ });
});
