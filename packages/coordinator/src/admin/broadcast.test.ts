import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterState, ShardRouting } from '@shoal/state';
import { errors } from '@shoal/errors';
import { encodeJson } from '@shoal/json';
import { shard as messages } from '@shoal/protocol';
import { fakeCoordinator, stateWith } from '../fake-cluster.js';

const told = (body: unknown): Uint8Array => messages.encodeShardCallResponse({ body: encodeJson(body) });

/** Index a: primary on n1, replica on n2; the replica moves to n3, or has moved there in the state after. */
function moving(): { readonly before: ClusterState; readonly after: ClusterState } {
  const state = stateWith([{ name: 'a', shards: [['n1', 'n2']] }]);
  const [primary, replica] = state.routing.get('a-uuid')![0]! as [ShardRouting, ShardRouting];
  const source: ShardRouting = { ...replica, state: 'RELOCATING', relocatingNodeId: 'n3' };
  const moved: ShardRouting = { ...replica, nodeId: 'n3', allocationId: 'moved' };
  const target: ShardRouting = { ...moved, state: 'INITIALIZING', relocatingNodeId: 'n2' };
  const withCopies = (version: number, ...copies: ShardRouting[]): ClusterState => ({
    ...state,
    version,
    routing: new Map([['a-uuid', [copies]]]),
  });
  return { before: withCopies(1, primary, source, target), after: withCopies(2, primary, moved) };
}

test('a copy that has moved away from the node that is asked answers where the next state has it', async () => {
  const { before, after } = moving();
  const asked: string[] = [];
  const coordinator = fakeCoordinator(before, {
    other(_action, nodeId) {
      asked.push(nodeId);
      if (nodeId !== 'n2') return told({ docs: 1 });
      // n2 has applied the state after; it comes here only now.
      coordinator.apply(after);
      throw errors.noShardAvailable(null);
    },
  });
  const answer = await coordinator.broadcast([...before.indices.values()], 'stats', {});
  assert.deepEqual([answer.total, answer.successful, answer.failed], [2, 2, 0]);
  assert.deepEqual(
    answer.shards.map(({ nodeId, primary }) => `${nodeId} ${primary}`),
    ['n1 true', 'n3 false'],
  );
  assert.deepEqual(asked, ['n1', 'n2', 'n3']);
});

test('a copy that fails while it moves is a failure: where it moves to it lacks documents', async () => {
  const { before } = moving();
  const asked: string[] = [];
  const coordinator = fakeCoordinator(before, {
    other(_action, nodeId) {
      asked.push(nodeId);
      if (nodeId === 'n1') return told({ docs: 1 });
      throw errors.noShardAvailable(null);
    },
  });
  const began = coordinator.clock.monotonic();
  const answer = await coordinator.broadcast([...before.indices.values()], 'stats', {});
  assert.deepEqual([answer.total, answer.successful, answer.failed], [2, 1, 1]);
  assert.equal(answer.failures[0]!.nodeId, 'n2');
  assert.deepEqual(asked, ['n1', 'n2']);
  assert.equal(coordinator.clock.monotonic() - began, 250);
});

test('errors of the request itself, and those of a copy that stays, are not asked elsewhere', async () => {
  const { before, after } = moving();
  const failing = async (state: ClusterState, error: Error): Promise<unknown> => {
    const coordinator = fakeCoordinator(state, {
      other() {
        throw error;
      },
    });
    const { failed } = await coordinator.broadcast([...state.indices.values()], 'stats', {});
    return [failed, coordinator.clock.monotonic()];
  };
  assert.deepEqual(
    await failing(before, errors.illegalArgument('no')),
    await failing(after, errors.illegalArgument('no')),
  );
  assert.deepEqual(
    await failing(after, errors.noShardAvailable(null)),
    await failing(after, errors.illegalArgument('no')),
  );
});
