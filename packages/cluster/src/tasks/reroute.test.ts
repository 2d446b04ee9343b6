import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShardStoreInfo } from '../allocation/context.js';
import { primaryOf } from '../allocation/copies.js';
import { applyDiff, type StateDiff } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const reason =
  (text: string | RegExp) =>
  (error: unknown): boolean => {
    const actual = (error as { reason: string }).reason;
    if (typeof text === 'string') assert.equal(actual, text);
    else assert.match(actual, text);
    return true;
  };

function cluster(replicas: number, ...ids: string[]): TestCluster {
  const c = new TestCluster(ids.map((id) => testNode(id)));
  c.create('a', 1, replicas);
  c.settle();
  return c;
}

const command = (
  c: TestCluster,
  name: string,
  parameters: Record<string, unknown>,
  options: Record<string, unknown> = {},
): unknown => c.run('reroute', { commands: [{ [name]: { index: 'a', shard: 0, ...parameters } }], ...options });

test('move: a started copy goes where the deciders allow it', () => {
  const c = cluster(0, 'n1', 'n2');
  const [from, to] = c.picture('a')[0] === 'P:n1' ? ['n1', 'n2'] : ['n2', 'n1'];
  command(c, 'move', { from_node: from, to_node: to });
  assert.deepEqual(c.picture('a'), [`P:${from}>${to} p:${to}<${from}`]);
  command(c, 'cancel', { node: to });
  assert.deepEqual(c.picture('a'), [`P:${from}`]);
});

test('move: what is wrong is said as Elasticsearch says it', () => {
  const c = cluster(0, 'n1');
  assert.throws(
    () => command(c, 'move', { from_node: 'n1', to_node: 'zz' }),
    reason('failed to resolve [zz], no matching nodes'),
  );
  assert.throws(
    () => command(c, 'move', { shard: 7, from_node: 'n1', to_node: 'n1' }),
    reason(
      new RegExp(
        String.raw`^\[move_allocation\] can't move 7, failed to find it on node ` +
          String.raw`\{n1\}\{n1\}\{e-n1\}\{n1\}\{host-n1\}\{127\.0\.0\.1:9301\}\{dm\}\{8\.12\.0\}` +
          String.raw`\{7000099-8500008\}$`,
      ),
    ),
  );
  assert.throws(
    () => command(c, 'move', { from_node: 'n1', to_node: 'n1' }),
    reason(
      new RegExp(
        String.raw`^\[move_allocation\] can't move 0, from .*, since its not allowed, reason: ` +
          String.raw`\[YES\(shard has no previous failures\)\].*\[NO\(this shard is already allocated to ` +
          String.raw`this node`,
      ),
    ),
  );
  const { explanations } = command(c, 'move', { shard: 7, from_node: 'n1', to_node: 'n1' }, { explain: true }) as {
    explanations: unknown[];
  };
  assert.deepEqual(explanations, [
    {
      command: 'move',
      parameters: { index: 'a', shard: 7, from_node: 'n1', to_node: 'n1' },
      decisions: [{ decider: 'move_allocation_command', decision: 'NO', explanation: 'shard 7 not found' }],
    },
  ]);
});

test('cancel: a primary only by name, a replica leaves the in-sync set and is filled again', () => {
  const c = cluster(1, 'n1', 'n2');
  const [primary, replica] = c.copies();
  assert.throws(() => command(c, 'cancel', { node: primary!.nodeId }), reason(/shard is primary and started$/));
  command(c, 'cancel', { node: replica!.nodeId });
  assert.deepEqual(c.state.indices.get(c.uuid('a'))!.inSync[0], [primary!.allocationId]);
  command(c, 'cancel', { node: primary!.nodeId, allow_primary: true });
  c.settle();
  assert.equal(
    c.copies().every((copy) => copy.state === 'STARTED'),
    true,
  );
});

test('a dry run tells what would change and changes nothing', () => {
  const c = cluster(0, 'n1', 'n2');
  const before = c.state;
  const from = c.copies()[0]!.nodeId;
  const { diff } = command(c, 'move', { from_node: from, to_node: from === 'n1' ? 'n2' : 'n1' }, { dryRun: true }) as {
    diff: StateDiff;
  };
  assert.equal(c.state, before);
  assert.equal(applyDiff(before, diff).routing.get(c.uuid('a'))![0]!.length, 2);
});

/** A primary whose only in-sync copy is gone. */
function red(): TestCluster {
  const c = cluster(0, 'n1', 'n2', 'n3');
  c.leave(c.copies()[0]!.nodeId!);
  c.extra = { stores: () => [] };
  return c;
}

const staleOn = (nodeId: string): ShardStoreInfo => ({
  nodeId,
  allocationId: 'stale',
  prevAllocationId: null,
  damaged: false,
  term: 1,
  maxSeqNo: 5,
  globalCheckpoint: 5,
  segmentHashes: 1,
});

test('allocate_empty_primary: loses data only on request, then begins a new term and history alone', () => {
  const c = red();
  const node = [...c.state.nodes.keys()][0]!;
  assert.throws(
    () => command(c, 'allocate_empty_primary', { node }),
    reason(
      '[allocate_empty_primary] allocating an empty primary for [a][0] can result in data loss. Please confirm by ' +
        'setting the accept_data_loss parameter to true',
    ),
  );
  const term = c.state.indices.get(c.uuid('a'))!.primaryTerms[0]!;
  command(c, 'allocate_empty_primary', { node, accept_data_loss: true });
  const primary = primaryOf(c.copies())!;
  const meta = c.state.indices.get(c.uuid('a'))!;
  assert.deepEqual(
    [primary.nodeId, primary.recoverySource, primary.isForced, primary.unassigned?.reason],
    [node, 'EMPTY_STORE', true, 'FORCED_EMPTY_PRIMARY'],
  );
  assert.deepEqual([meta.inSync[0], meta.primaryTerms[0]], [[primary.allocationId], term + 1]);
  c.startAll();
  assert.equal(primaryOf(c.copies())!.isForced, undefined);
});

test('allocate_stale_primary needs a store on the node', () => {
  const c = red();
  const [node, other] = [...c.state.nodes.keys()];
  const forced = { node, accept_data_loss: true };
  assert.throws(
    () => command(c, 'allocate_stale_primary', forced),
    reason('No data for shard [0] of index [a] found on any node'),
  );
  c.extra = { stores: () => [staleOn(other!)] };
  assert.throws(
    () => command(c, 'allocate_stale_primary', forced),
    reason(`No data for shard [0] of index [a] found on node [${node}]`),
  );
  command(c, 'allocate_stale_primary', { node: other, accept_data_loss: true });
  const primary = primaryOf(c.copies())!;
  assert.deepEqual([primary.nodeId, primary.recoverySource, primary.isForced], [other, 'EXISTING_STORE', true]);
});

test('allocate_replica: not where one is, not when all have a place', () => {
  const c = cluster(1, 'n1');
  assert.throws(
    () => command(c, 'allocate_replica', { node: 'n1' }),
    reason(
      new RegExp(
        String.raw`^\[allocate_replica\] allocation of \[a\]\[0\] on node \{n1\}.* is not allowed, ` +
          String.raw`reason: .*\[NO\(a copy of this shard is already allocated to this node`,
      ),
    ),
  );
  c.run('node-join', { nodes: [testNode('n2')] });
  c.settle();
  assert.throws(
    () => command(c, 'allocate_replica', { node: 'n2' }),
    reason('[allocate_replica] all copies of [a][0] are already assigned. Use the move allocation command instead'),
  );
  const { explanations } = command(c, 'allocate_replica', { shard: 9, node: 'n1' }, { explain: true }) as {
    explanations: { decisions: unknown[] }[];
  };
  assert.deepEqual(explanations[0]?.decisions, [
    { decider: 'allocate_replica (allocation command)', decision: 'NO', explanation: 'no such shard' },
  ]);
});

test('commands that lack something are refused by name', () => {
  const c = cluster(0, 'n1');
  assert.throws(() => c.run('reroute', { commands: [{ zz: {} }] }), reason('unknown field [zz]'));
  assert.throws(
    () => c.run('reroute', { commands: [{ move: { index: 'a', shard: 0 } }] }),
    reason('[move] command missing the from_node parameter'),
  );
  assert.throws(
    () => c.run('reroute', { commands: [{ allocate_stale_primary: { index: 'a', shard: 0 } }] }),
    reason('Argument [node] must be defined'),
  );
  assert.throws(
    () => c.run('reroute', { commands: [{ allocate_stale_primary: { index: 'a', shard: 0, node: 'x', x: 1 } }] }),
    reason('[allocate_stale_primary] unknown field [x]'),
  );
});

test('retry_failed lets a copy try again that had been given up', () => {
  const c = cluster(0, 'n1');
  const fail = (): void => {
    const copy = c.copies()[0]!;
    c.run('shard-failed', {
      indexUuid: copy.indexUuid,
      shard: 0,
      allocationId: copy.allocationId,
      failure: { type: 'x', reason: 'y' },
    });
    c.nowMs += 10_000;
    c.run('reroute', {});
  };
  for (let attempt = 0; attempt < 5; attempt++) fail();
  assert.equal(c.copies()[0]!.state, 'UNASSIGNED');
  c.run('reroute', { retryFailed: true });
  assert.equal(c.copies()[0]!.state, 'INITIALIZING');
});
