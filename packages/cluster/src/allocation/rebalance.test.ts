import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TestCluster, cluster, counts, inSync, term, testNode } from './testing/clusters.js';

test('copies move to a node that joins until all hold the same number, two at a time', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 6, 1);
  c.settle();
  c.run('node-join', { nodes: [testNode('n3')] });
  assert.equal(c.copies().filter((copy) => copy.state === 'RELOCATING').length, 2);
  c.settle();
  assert.deepEqual(counts(c), { n1: 4, n2: 4, n3: 4 });
});

test('a primary that moves keeps its term; its target takes its place in the in-sync set', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 0, { 'routing.allocation.include._name': 'n1' });
  c.settle();
  const [id] = inSync(c, 'books');
  c.run('update-settings', { uuids: [c.uuid('books')], settings: { 'index.routing.allocation.include._name': 'n2' } });
  assert.deepEqual(c.picture('books'), ['P:n1>n2 p:n2<n1']);
  c.settle();
  assert.deepEqual(c.picture('books'), ['P:n2']);
  assert.equal(term(c, 'books'), 1);
  assert.ok(!inSync(c, 'books').includes(id!));
});

test('a move that fails is tried five times, then not until an operator asks', () => {
  const c = cluster('n1', 'n2');
  c.create('books', 1, 0, { 'routing.allocation.include._name': 'n1' });
  c.settle();
  c.run('update-settings', { uuids: [c.uuid('books')], settings: { 'index.routing.allocation.include._name': 'n2' } });
  let failures = 0;
  for (let target = c.copies()[1]; target; target = c.copies()[1], failures++) {
    c.run('shard-failed', {
      indexUuid: target.indexUuid,
      shard: 0,
      allocationId: target.allocationId,
      failure: { type: 'x', reason: 'y' },
    });
  }
  assert.equal(failures, 5);
  assert.deepEqual(c.picture('books'), ['P:n1']);
  c.run('reroute', { retryFailed: true });
  assert.deepEqual(c.picture('books'), ['P:n1>n2 p:n2<n1']);
});

test('a primary moves once the copies that recover from it are there, so that they do not begin again for ever', () => {
  const nodes = Array.from({ length: 6 }, (_, i) =>
    testNode(`n${i}`, { attributes: { zone: 'abc'[i % 3]! }, host: `h${i >> 1}` }),
  );
  const c = new TestCluster(nodes).withStores();
  for (const [name, replicas] of [
    ['i0', 2],
    ['i1', 2],
    ['i2', 1],
  ] as const)
    c.create(name, 3, replicas);
  c.settle();
  c.run('cluster-settings', {
    persistent: {
      'cluster.routing.allocation.awareness.attributes': 'zone',
      'cluster.routing.allocation.exclude._name': 'n3',
      'cluster.routing.allocation.same_shard.host': 'true',
    },
    transient: {},
  });
  assert.ok(c.settle(20) <= 20);
});

test('a node that joins gets its share by little more than as many moves', () => {
  const c = cluster('n1', 'n2', 'n3');
  for (let i = 0; i < 40; i++) c.create(`i${i}`, 3, 1);
  c.settle();
  c.run('node-join', { nodes: [testNode('n4')] });
  let moves = 0;
  for (let before = null; before !== c.state; ) {
    before = c.state;
    c.run('reroute', {});
    moves += c.copies().filter((copy) => copy.state === 'INITIALIZING').length;
    c.startAll();
  }
  const share = c.copies().filter((copy) => copy.nodeId === 'n4').length;
  assert.ok(share >= 59 && share <= 61, `${share} of 240 copies`);
  assert.ok(moves <= 1.15 * share, `${moves} moves for ${share} copies`);
});

test('large shards do not go back and forth between nodes that no move makes more even', () => {
  for (const [nodes, shards] of [
    [2, 1],
    [3, 4],
    [3, 7],
  ] as const) {
    const c = cluster(...Array.from({ length: nodes }, (_, i) => `n${i}`));
    c.extra = { shardBytes: () => 200e9 };
    c.create('large', shards, 0);
    c.settle(50);
    const held = Object.values(counts(c));
    assert.ok(Math.max(...held) - Math.min(...held) <= 1, `uneven: ${held.join(' ')}`);
  }
});

test('shards of any sizes come to rest', () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 2, max: 4 }), (indices, size) => {
      const c = cluster(...Array.from({ length: size }, (_, i) => `n${i}`));
      const byIndex = new Map(indices.map((gigabytes, i) => [c.create(`i${i}`, gigabytes.length, 1), gigabytes]));
      c.extra = { shardBytes: (uuid, shard) => (byIndex.get(uuid)?.[shard] ?? 0) * 1e9 };
      c.settle(200);
    }),
    { numRuns: 40 },
  );
});
