import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isActive } from '@shoal/state';
import type { ShardStoreInfo } from './context.js';
import { cluster, inSync, primary, restarted, term } from './testing/clusters.js';

const store = (nodeId: string, allocationId: string | null, changes: Partial<ShardStoreInfo> = {}): ShardStoreInfo => ({
  nodeId,
  allocationId,
  prevAllocationId: null,
  damaged: false,
  term: 1,
  maxSeqNo: 10,
  globalCheckpoint: 10,
  segmentHashes: 1,
  ...changes,
});

const nodeOfId = (ids: readonly string[], position: number): readonly [string, string] => [
  `n${position + 1}`,
  ids[position]!,
];

test(
  'after a full restart a primary waits for the list of stores, then starts from the in-sync one with most ' +
    'operations under its id',
  () => {
    const { c, ids } = restarted();
    assert.equal(c.state.masterNodeId, 'n2');
    assert.deepEqual(
      [primary(c, 'books').state, primary(c, 'books').unassigned?.reason, primary(c, 'books').unassigned?.status],
      ['UNASSIGNED', 'CLUSTER_RECOVERED', 'fetching_shard_data'],
    );
    const stores = [
      store(...nodeOfId(ids, 0)),
      store(...nodeOfId(ids, 1), { maxSeqNo: 12 }),
      store('n3', 'stale', { maxSeqNo: 99 }),
    ];
    c.extra = { stores: () => stores };
    c.run('reroute', {});
    assert.deepEqual([primary(c, 'books').nodeId, primary(c, 'books').allocationId], ['n2', ids[1]]);
    assert.equal(term(c, 'books'), 2);
    c.settle();
    assert.deepEqual([...inSync(c, 'books')].length, 2);
  },
);

test(
  'stale and damaged stores do not become primaries; a store that ' +
    'was being recovered does by the id it had before',
  () => {
    const { c, ids } = restarted();
    c.extra = { stores: () => [store('n1', ids[0]!, { damaged: true }), store('n2', 'other', { maxSeqNo: 50 })] };
    c.run('reroute', {});
    assert.deepEqual(
      [primary(c, 'books').state, primary(c, 'books').unassigned?.status],
      ['UNASSIGNED', 'no_valid_shard_copy'],
    );
    c.extra = { stores: () => [store('n2', 'newer', { prevAllocationId: ids[1]! })] };
    c.run('reroute', {});
    assert.deepEqual([primary(c, 'books').nodeId, primary(c, 'books').allocationId], ['n2', ids[1]]);
  },
);

test('a primary whose only data lies on a node that filters exclude starts there all the same', () => {
  const { c, ids } = restarted();
  c.run('cluster-settings', {
    persistent: { 'cluster.routing.allocation.exclude._name': 'n1', 'cluster.routing.allocation.enable': 'none' },
    transient: {},
  });
  c.extra = { stores: () => [store('n1', ids[0]!)] };
  c.run('reroute', {});
  assert.equal(primary(c, 'books').nodeId, 'n1');
});

test('a replica goes to the node that has most of its data', () => {
  const c = cluster('n1', 'n2', 'n3', 'n4');
  c.create('books', 1, 1);
  c.settle();
  const [kept, lost] = [primary(c, 'books').nodeId!, c.copies().find((copy) => !copy.primary)!.nodeId!];
  c.leave(lost);
  const other = ['n1', 'n2', 'n3', 'n4'].findLast((id) => id !== kept && id !== lost)!;
  c.extra = { stores: () => [store(kept, primary(c, 'books').allocationId), store(other, 'old', { maxSeqNo: 9 })] };
  c.run('reroute', {});
  assert.equal(c.copies().find((copy) => !copy.primary)?.nodeId, other, 'without waiting for the node that left');
});

test('after a full restart all copies come back to where they were', () => {
  const c = cluster('n1', 'n2', 'n3', 'n4').withStores();
  c.create('books', 4, 1);
  c.settle();
  const places = (): string[] =>
    c
      .copies()
      .map((copy) => `${copy.shard} ${copy.nodeId}`)
      .sort();
  const before = places();
  c.run('elected', {
    nodes: [...c.state.nodes.values()].map((node) => ({ ...node, ephemeralId: `again-${node.id}` })),
  });
  c.settle();
  assert.deepEqual(places(), before);
});

test('an index that is opened again starts from the stores that are in sync', () => {
  const c = cluster('n1', 'n2', 'n3').withStores();
  c.create('books', 2, 1);
  c.settle();
  const before = c.state.indices.get(c.uuid('books'))!.inSync;
  c.run('close-index', { uuids: [c.uuid('books')] });
  c.run('open-index', { uuids: [c.uuid('books')] });
  [0, 1].forEach((shard) => assert.ok(before[shard]!.includes(primary(c, 'books', shard).allocationId!)));
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 4);
});

test('an index that is closed and opened before its primaries have started begins empty', () => {
  const c = cluster('n1', 'n2').withStores();
  c.create('books', 2, 1);
  c.run('close-index', { uuids: [c.uuid('books')] });
  c.run('open-index', { uuids: [c.uuid('books')] });
  assert.deepEqual(
    [0, 1].map((shard) => primary(c, 'books', shard).recoverySource),
    ['EMPTY_STORE', 'EMPTY_STORE'],
  );
  c.settle();
  assert.equal(c.copies().filter(isActive).length, 4);
});
