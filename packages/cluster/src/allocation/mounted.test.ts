import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, inSync, primary, testNode, type TestCluster } from './testing/clusters.js';

/** A cluster of some nodes with an index that is mounted from a snapshot, through the cache unless `isFull`. */
function mounted(isFull = false, nodes = ['n1', 'n2', 'n3'], shards = 1): TestCluster {
  const c = cluster(...nodes).withStores();
  const files = Array.from({ length: shards }, () => ['f']);
  const mount = {
    'index.store.type': 'snapshot',
    'index.store.snapshot.repository_name': 'r',
    'index.store.snapshot.snapshot_name': 's',
    'index.store.snapshot.snapshot_uuid': 'u',
    ...(isFull ? {} : { 'index.store.snapshot.partial': 'true' }),
  };
  c.run('restore-index', {
    name: 'cold',
    settings: {
      'index.number_of_shards': String(shards),
      'index.number_of_replicas': '0',
      'index.blocks.write': 'true',
    },
    mapping: {},
    aliases: {},
    routingShards: 1024,
    restoredFrom: { repository: 'r', snapshot: 's', index: 'i', folder: '/r', files, bytes: files.map(() => 1) },
    mount,
  });
  c.settle();
  return c;
}

const place = (c: TestCluster): readonly unknown[] => {
  const { state, recoverySource } = primary(c, 'cold');
  return [state, recoverySource];
};

for (const isFull of [false, true])
  test(`a mounted index (${isFull ? 'in full' : 'in part'}) whose node died is made again on another one`, () => {
    const c = mounted(isFull);
    const { nodeId } = primary(c, 'cold');
    const [before] = inSync(c, 'cold');
    c.leave(nodeId!);
    assert.deepEqual(place(c), ['INITIALIZING', 'SNAPSHOT']);
    assert.notEqual(primary(c, 'cold').nodeId, nodeId);
    c.settle();
    assert.equal(primary(c, 'cold').state, 'STARTED');
    assert.ok(!inSync(c, 'cold').includes(before!));
  });

test('a mounted index starts from the store of its node if that is there', () => {
  const c = mounted();
  const { nodeId, allocationId } = primary(c, 'cold');
  c.run('shard-failed', { indexUuid: primary(c, 'cold').indexUuid, shard: 0, allocationId });
  assert.deepEqual([...place(c), primary(c, 'cold').nodeId], ['INITIALIZING', 'EXISTING_STORE', nodeId]);
});

const exclude = (c: TestCluster, names: string): void =>
  void c.run('cluster-settings', {
    persistent: { 'cluster.routing.allocation.exclude._name': names },
    transient: {},
  });

/** The copies of the mounted index with their nodes and what they are made from. */
const copiesOf = (c: TestCluster): readonly unknown[] =>
  c.state.routing
    .get(primary(c, 'cold').indexUuid)!
    .flat()
    .map(({ state, nodeId, recoverySource }) => [state, nodeId, recoverySource]);

test('a partially mounted index leaves a node that may not have it, and answers there until it is open', () => {
  const c = mounted();
  const { nodeId, indexUuid } = primary(c, 'cold');
  const [before] = inSync(c, 'cold');
  const terms = c.state.indices.get(indexUuid)!.primaryTerms;
  exclude(c, nodeId!);
  const [source, target] = copiesOf(c) as [unknown[], unknown[]];
  assert.deepEqual(source, ['RELOCATING', nodeId, null]);
  assert.deepEqual([target[0], target[2]], ['INITIALIZING', 'SNAPSHOT']);
  c.settle();
  assert.equal(primary(c, 'cold').state, 'STARTED');
  assert.equal(primary(c, 'cold').nodeId, target[1]);
  assert.ok(!inSync(c, 'cold').includes(before!));
  assert.deepEqual(c.state.indices.get(indexUuid)!.primaryTerms, terms);
});

test('partially mounted indices move onto a node that joins, for balance', () => {
  const c = mounted(false, ['n1'], 6);
  c.state = { ...c.state, nodes: new Map([...c.state.nodes, ['n2', testNode('n2')]]) };
  c.settle();
  const nodes = c.state.routing.get(primary(c, 'cold').indexUuid)!.flat();
  assert.ok(nodes.every(({ state }) => state === 'STARTED'));
  assert.equal(nodes.filter(({ nodeId }) => nodeId === 'n2').length, 3);
});

test('a partially mounted index leaves a node that is to be removed', () => {
  const c = mounted();
  const { nodeId } = primary(c, 'cold');
  c.run('put-node-shutdown', { nodeId: nodeId!, type: 'REMOVE', reason: 'old', delayMs: null, targetName: null });
  c.settle();
  assert.equal(primary(c, 'cold').state, 'STARTED');
  assert.notEqual(primary(c, 'cold').nodeId, nodeId);
});

test('a partially mounted index stays while no other node may have it', () => {
  const c = mounted();
  const { nodeId, allocationId } = primary(c, 'cold');
  exclude(c, 'n1,n2,n3');
  assert.deepEqual([primary(c, 'cold').nodeId, primary(c, 'cold').allocationId], [nodeId, allocationId]);
});

test('a command moves a partially mounted index, and it is opened from its snapshot', () => {
  const c = mounted();
  const { nodeId } = primary(c, 'cold');
  const to = nodeId === 'n1' ? 'n2' : 'n1';
  c.run('reroute', { commands: [{ move: { index: 'cold', shard: 0, from_node: nodeId!, to_node: to } }] });
  assert.deepEqual(copiesOf(c), [
    ['RELOCATING', nodeId, null],
    ['INITIALIZING', to, 'SNAPSHOT'],
  ]);
});

test('a partially mounted index has no replicas', () => {
  const c = mounted();
  const uuids = [primary(c, 'cold').indexUuid];
  for (const settings of [{ 'index.number_of_replicas': '1' }, { 'index.blocks.write': null }])
    assert.throws(() => c.run('update-settings', { uuids, settings }), { type: 'illegal_argument_exception' });
});

test('a repository of a mounted index cannot be unregistered', () => {
  const c = mounted();
  c.run('put-entry', { section: 'repositories', name: 'r', value: { type: 'fs', settings: {} } });
  assert.throws(() => c.run('delete-entries', { section: 'repositories', names: ['r'] }), {
    type: 'repository_conflict_exception',
    message: /found 1 searchable snapshots indices that use the repository: \[cold\//,
  });
});
