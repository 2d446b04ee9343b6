import type { Json } from '@shoal/json';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShardStoreInfo } from '../context.js';
import { TestCluster, testNode } from '../testing/clusters.js';

const GB = 2 ** 30;
function explain(c: TestCluster, index: string, primary: boolean, includeYes = false): Json {
  return c.run('explain-allocation', { shard: { index, shard: 0, primary, currentNode: null }, includeYes }) as Json;
}

const nodesOf = (json: Json): Json[] => json['node_allocation_decisions'] as Json[];
const deciders = (node: Json | undefined): string[] =>
  ((node?.['deciders'] ?? []) as Json[]).map(
    ({ decider, decision, explanation }) => `${decider} ${decision} ${explanation}`,
  );

function oneNode(): TestCluster {
  const c = new TestCluster([testNode('n1', { attributes: { testattr: 'test' } })]);
  c.extra = { disk: () => ({ totalBytes: 251.5 * GB, freeBytes: 71.6 * GB + 1e6 }) };
  return c;
}

test('a replica without a second node: every decider in the words and order of Elasticsearch', () => {
  const c = oneNode();
  c.create('a', 1, 1);
  c.settle();
  const json = explain(c, 'a', false, true);
  assert.equal(json['can_allocate'], 'no');
  assert.match(
    String(json['allocate_explanation']),
    /^Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster\. Choose a node/,
  );
  assert.deepEqual(deciders(nodesOf(json)[0]), [
    'max_retry YES shard has no previous failures',
    'replica_after_primary_active YES primary shard for this replica is already active',
    'enable YES all allocations are allowed',
    'node_version YES can allocate replica shard to a node with version [8.12.0] since this is equal-or-newer than ' +
      'the primary version [8.12.0]',
    'snapshot_in_progress YES the shard is not being snapshotted',
    'restore_in_progress YES ignored as shard is not being recovered from a snapshot',
    'node_shutdown YES no nodes are shutting down',
    'node_replacement YES there are no ongoing node replacements',
    'filter YES node passes include/exclude/require filters',
    'same_shard NO a copy of this shard is already allocated to this node [[a][0], node[n1], [P], s[STARTED], ' +
      `a[id=${c.copies()[0]!.allocationId}], failed_attempts[0]]`,
    'disk_threshold YES enough disk for shard on node, free: [71.6gb], used: [71.5%], shard size: [0b], free after ' +
      'allocating shard: [71.6gb]',
    'throttling YES below shard recovery limit of outgoing: [0 < 2] incoming: [0 < 2]',
    'shards_limit YES total shard limits are disabled: [index: -1, cluster: -1] <= 0',
    'awareness YES allocation awareness is not enabled, set cluster setting ' +
      '[cluster.routing.allocation.awareness.attributes] to enable it',
  ]);
});

test('a started primary: why it stays and is not rebalanced', () => {
  const c = oneNode();
  c.create('a', 1, 1);
  c.settle();
  const json = explain(c, 'a', true, true);
  assert.deepEqual(
    [
      json['current_state'],
      json['can_remain_on_current_node'],
      json['can_rebalance_cluster'],
      json['can_rebalance_to_other_node'],
    ],
    ['started', 'yes', 'no', 'no'],
  );
  assert.deepEqual(deciders({ deciders: json['can_rebalance_cluster_decisions'] }), [
    'rebalance_only_when_active NO rebalancing is not allowed until all copies of this shard are active',
    'cluster_rebalance NO the cluster has unassigned shards and cluster setting ' +
      '[cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]',
    'concurrent_rebalance YES below threshold [2] for concurrent rebalances, current rebalance shard count [0]',
    'enable YES all rebalancing is allowed',
    'snapshot_in_progress YES no snapshots are currently running',
  ]);
  assert.match(
    String(json['rebalance_explanation']),
    /^Elasticsearch is not allowed to allocate or rebalance this shard to another node\./,
  );
});

test('a new primary that filters keep off every node', () => {
  const c = oneNode();
  c.create('b', 1, 0, {
    'routing.allocation.require._name': 'x,y',
    'routing.allocation.include.zone': 'a,b',
    'routing.allocation.include.rack': 'r1',
  });
  const required = explain(c, 'b', true);
  assert.deepEqual((required['unassigned_info'] as Json)['last_allocation_status'], 'no');
  assert.deepEqual(deciders(nodesOf(required)[0]), [
    'filter NO node does not match index setting [index.routing.allocation.require] filters [_name:"x AND y"]',
  ]);
  c.run('update-settings', { uuids: [c.uuid('b')], settings: { 'index.routing.allocation.require._name': null } });
  assert.deepEqual(deciders(nodesOf(explain(c, 'b', true))[0]), [
    'filter NO node does not match index setting [index.routing.allocation.include] filters [rack:"r1",zone:"a OR b"]',
  ]);
});

test('a replica whose node left is waited for, with the time that remains', () => {
  const c = new TestCluster(['n1', 'n2', 'n3'].map((id) => testNode(id)));
  c.create('a', 1, 1);
  c.settle();
  c.leave(c.copies().find((copy) => !copy.primary)!.nodeId!);
  c.nowMs += 3_153;
  c.run('reroute', {});
  const json = explain(c, 'a', false);
  assert.deepEqual(
    [json['can_allocate'], json['configured_delay_in_millis'], json['remaining_delay_in_millis']],
    ['allocation_delayed', 60_000, 56_847],
  );
  assert.equal(
    json['allocate_explanation'],
    'The node containing this shard copy recently left the cluster. Elasticsearch is waiting for it to return. If ' +
      'the node does not return within [56.8s] then Elasticsearch will allocate this shard to another node. Please ' +
      'wait.',
  );
});

test('a primary whose good copies are away: what each node has, and what to do', () => {
  const c = new TestCluster(['n1', 'n2'].map((id) => testNode(id)));
  c.create('a', 1, 0);
  c.settle();
  const { nodeId } = c.copies()[0]!;
  c.leave(nodeId!);
  c.extra = { stores: () => [] };
  const none = explain(c, 'a', true);
  assert.equal(none['can_allocate'], 'no_valid_shard_copy');
  assert.match(
    String(none['allocate_explanation']),
    /there are no copies of its data in the cluster\. .* restore this index from a recent snapshot\.$/,
  );
  assert.deepEqual(nodesOf(none)[0]?.['store'], { found: false });
  const stale: ShardStoreInfo = {
    nodeId: [...c.state.nodes.keys()][0]!,
    allocationId: 'old',
    prevAllocationId: null,
    damaged: false,
    term: 1,
    maxSeqNo: 3,
    globalCheckpoint: 3,
    segmentHashes: 1,
  };
  c.extra = { stores: () => [stale] };
  const json = explain(c, 'a', true);
  assert.match(String(json['allocate_explanation']), /all the copies of its data in the cluster are stale or corrupt/);
  assert.deepEqual(nodesOf(json)[0]?.['store'], { in_sync: false, allocation_id: 'old' });
});

test('disks, limits, zones and failures say what is missing', () => {
  const c = new TestCluster(['n1', 'n2'].map((id, i) => testNode(id, { attributes: { zone: 'ab'[i]! } })));
  c.extra = { disk: (id) => ({ totalBytes: 100 * GB, freeBytes: id === 'n2' ? 4.5 * GB : 60 * GB }) };
  c.run('cluster-settings', {
    persistent: {
      'cluster.routing.allocation.total_shards_per_node': '1',
      'cluster.routing.allocation.awareness.attributes': 'rack',
    },
    transient: {},
  });
  c.create('a', 1, 0);
  const text = deciders(nodesOf(explain(c, 'a', true)).find((node) => node['node_id'] === 'n2'));
  assert.deepEqual(text, [
    'disk_threshold NO the node is above the high watermark cluster setting ' +
      '[cluster.routing.allocation.disk.watermark.high=90%], having less than the minimum required [10gb] free ' +
      'space, actual free: [4.5gb], actual used: [95.5%]',
    'awareness NO node does not contain the awareness attribute [rack]; required attributes cluster setting ' +
      '[cluster.routing.allocation.awareness.attributes=rack]',
  ]);
  c.run('cluster-settings', { persistent: { 'cluster.routing.allocation.awareness.attributes': null }, transient: {} });
  for (let attempt = 0; attempt < 5; attempt++) {
    const copy = c.copies()[0]!;
    c.run('shard-failed', {
      indexUuid: copy.indexUuid,
      shard: 0,
      allocationId: copy.allocationId,
      failure: { type: 'i_o_exception', reason: 'bad disk' },
    });
    c.nowMs += 10_000;
    c.run('reroute', {});
  }
  const [retry] = deciders(nodesOf(explain(c, 'a', true))[0]);
  assert.match(
    retry!,
    new RegExp(
      String.raw`^max_retry NO shard has exceeded the maximum number of retries \[5\] on failed ` +
        String.raw`allocation attempts - manually call \[POST \/_cluster\/reroute\?retry_failed\] to ` +
        String.raw`retry, \[unassigned_info\[\[reason=ALLOCATION_FAILED\], ` +
        String.raw`at\[20.*failed_attempts\[5\], failed_nodes\[\[n1\]\], delayed=false, details\[failed ` +
        String.raw`shard on node \[n1\]: i_o_exception: bad disk\]`,
    ),
  );
});

test('settings that forbid name themselves', () => {
  const c = oneNode();
  c.create('replicas', 1, 1, { 'routing.allocation.enable': 'primaries' });
  c.create('none', 1, 0, { 'routing.allocation.enable': 'none' });
  c.create('fresh', 1, 1, { 'routing.allocation.enable': 'new_primaries' });
  c.create('limited', 2, 0, { 'routing.allocation.total_shards_per_node': 1 });
  c.create('still', 1, 0, { 'routing.rebalance.enable': 'replicas' });
  c.settle();
  const first = (index: string, primary: boolean): string | undefined =>
    deciders(nodesOf(explain(c, index, primary))[0])[0];
  assert.equal(
    first('replicas', false),
    'enable NO replica allocations are forbidden due to index setting [index.routing.allocation.enable=primaries]',
  );
  assert.equal(
    first('none', true),
    'enable NO no allocations are allowed due to index setting [index.routing.allocation.enable=none]',
  );
  assert.equal(
    first('fresh', false),
    'enable NO non-new primary allocations are forbidden due to index setting ' +
      '[index.routing.allocation.enable=new_primaries]',
  );
  const second = c.run('explain-allocation', {
    shard: { index: 'limited', shard: 1, primary: true, currentNode: null },
    includeYes: false,
  }) as Json;
  assert.deepEqual(deciders(nodesOf(second)[0]), [
    'shards_limit NO too many shards [1] allocated to this node for index [limited], index setting ' +
      '[index.routing.allocation.total_shards_per_node=1]',
  ]);
  assert.deepEqual(
    deciders({ deciders: explain(c, 'still', true)['can_rebalance_cluster_decisions'] }).at(-1),
    'enable NO primary rebalancing is forbidden due to index setting [index.routing.rebalance.enable=replicas]',
  );
});
