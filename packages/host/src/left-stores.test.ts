import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterState, ShardRouting } from '@shoal/state';
import { fakeClock, silentLog } from '@shoal/doors';
import { shard as messages } from '@shoal/protocol';
import { LeftStores } from './left-stores.js';

const copyOn = (nodeId: string | null, state: ShardRouting['state'] = 'STARTED'): ShardRouting => ({
  indexUuid: 'u',
  shard: 0,
  primary: nodeId === 'a',
  state,
  nodeId,
  relocatingNodeId: null,
  allocationId: `of ${nodeId}`,
  recoverySource: null,
  unassigned: null,
});

/**
 * Creates node `n` with a folder of shard 0, in a cluster with the given copies. `stages.b` is the recovery stage that
 * node b reports for its copy.
 */
function nodeWithFolder(copies: readonly ShardRouting[], stages: { b: string }, isHeld = false) {
  const world = { routing: new Map([['u', [copies]]]), deleted: {} as Record<string, { uuid: string }> };
  const destroyed: string[] = [];
  const looks = { count: 0, indices: [] as string[] };
  const clock = fakeClock();
  const left = new LeftStores({
    thread: 0,
    threads: 1,
    nodeId: 'n',
    session: 's',
    clock,
    log: silentLog,
    peers: {
      request: async (action) => {
        const stage = action === 'to/data/b/shard/call' ? stages.b : 'DONE';
        return messages.encodeShardCallResponse({ body: Buffer.from(JSON.stringify({ progress: { stage } })) });
      },
    },
    shards: {
      get state() {
        return {
          nodes: new Map([['n', { ephemeralId: 's' }]]),
          indices: new Map([['u', { state: 'open', numberOfReplicas: 1 }]]),
          routing: world.routing,
          customs: new Map([['tombstones', world.deleted]]),
        } as unknown as ClusterState;
      },
      whileClosed: async (_indexUuid, _shard, work) => (isHeld ? null : work()),
    },
    storedShards: async (wanted) => {
      looks.count++;
      const found = ['u', 'unknown'].filter(wanted);
      looks.indices.push(...found);
      return found.map((indexUuid) => ({ indexUuid, shard: 0 }));
    },
    destroy: async (indexUuid, shard) => void destroyed.push(`${indexUuid}/${shard}`),
  });
  return { left, destroyed, clock, world, looks };
}

test(
  'the folder of a copy that moved away goes once all copies ' + 'are started elsewhere and their nodes say so',
  async () => {
    const { left, destroyed } = nodeWithFolder([copyOn('a'), copyOn('b')], { b: 'DONE' });
    await left.look();
    assert.deepEqual(destroyed, ['u/0']);
  },
);

test('it stays while a copy is here, is missing or recovers, or is in use', async () => {
  for (const copies of [
    [copyOn('a'), copyOn('n')],
    [copyOn('a')],
    [copyOn('a'), copyOn(null, 'UNASSIGNED')],
    [copyOn('a'), copyOn('b', 'INITIALIZING')],
    [copyOn('a', 'RELOCATING'), copyOn('b')],
  ]) {
    const { left, destroyed } = nodeWithFolder(copies, { b: 'DONE' });
    await left.look();
    assert.deepEqual(destroyed, []);
  }
  const held = nodeWithFolder([copyOn('a'), copyOn('b')], { b: 'DONE' }, true);
  await held.left.look();
  assert.deepEqual(held.destroyed, []);
});

test(
  'it stays while a node does not confirm its copy, which is ' + 'asked again although the state is the same',
  async () => {
    const stages = { b: 'TRANSLOG' };
    const { left, destroyed, clock } = nodeWithFolder([copyOn('a'), copyOn('b')], stages);
    await left.look();
    assert.deepEqual(destroyed, []);
    stages.b = 'DONE';
    await left.look();
    assert.deepEqual(destroyed, [], 'not at once');
    clock.advance(5_000);
    await left.look();
    assert.deepEqual(destroyed, ['u/0']);
  },
);

test(
  'the folder of an index that was deleted while it was closed, or ' + 'while the node was away, goes by the tombstone',
  async () => {
    const { left, destroyed, clock, world } = nodeWithFolder([copyOn('n')], { b: 'DONE' });
    await left.look();
    assert.deepEqual(destroyed, []);
    Object.assign(world, {
      routing: new Map(world.routing),
      deleted: { unknown: { uuid: 'unknown' }, u: { uuid: 'u' } },
    });
    clock.advance(5_000);
    await left.look();
    assert.deepEqual(destroyed, ['unknown/0'], 'not that of an index that is there again');
  },
);

test('folders are looked at when copies have changed, not with each state', async () => {
  const { left, clock, world, looks } = nodeWithFolder([copyOn('n')], { b: 'DONE' });
  for (let i = 0; i < 3; i++) {
    await left.look();
    clock.advance(5_000);
  }
  assert.equal(looks.count, 1);
  world.routing = new Map(world.routing);
  await left.look();
  assert.equal(looks.count, 2);
  assert.deepEqual(looks.indices, [], 'nor those of indices whose copies are here');
});
