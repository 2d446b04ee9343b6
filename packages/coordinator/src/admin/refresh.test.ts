import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeError, errors } from '@shoal/errors';
import { encodeJson } from '@shoal/json';
import { shard as messages } from '@shoal/protocol';
import { fakeCoordinator, stateWith } from '../fake-cluster.js';

const told = (body: unknown): Uint8Array => messages.encodeShardCallResponse({ body: encodeJson(body) });

test('a refresh asks the primary, which answers for the copies it knows', async () => {
  const state = stateWith([{ name: 'a', shards: [['n1', 'n2', 'n3']] }]);
  const asked: string[] = [];
  const coordinator = fakeCoordinator(state, {
    other(action, nodeId) {
      asked.push(`${action} ${nodeId}`);
      return told({ successful: 2, failures: [{ nodeId: 'n3', error: encodeError(errors.illegalState('stuck')) }] });
    },
  });
  const { total, successful, failed, failures } = await coordinator.refresh([...state.indices.values()]);
  assert.deepEqual([total, successful, failed], [3, 2, 1]);
  assert.deepEqual([failures[0]!.nodeId, failures[0]!.error.reason], ['n3', 'stuck']);
  assert.deepEqual(asked, ['shard/call n1']);
});

test('a refresh follows the primary to where the next state has it', async () => {
  const state = stateWith([{ name: 'a', shards: [['n1', 'n2']] }]);
  const moved = { ...stateWith([{ name: 'a', shards: [['n2', 'n1']] }]), version: state.version + 1 };
  const coordinator = fakeCoordinator(state, {
    other(_action, nodeId) {
      if (nodeId === 'n2') return told({ successful: 2, failures: [] });
      coordinator.apply(moved);
      throw errors.retryOnPrimary('the copy is not an active primary');
    },
  });
  const { total, successful, failed } = await coordinator.refresh([...state.indices.values()]);
  assert.deepEqual([total, successful, failed], [2, 2, 0]);
});

test(
  'a primary that cannot be reached for a minute is a ' + 'failure; a shard without one is only not counted',
  async () => {
    const state = stateWith([
      { name: 'a', shards: [['n1']] },
      { name: 'b', shards: [['n2']] },
    ]);
    const [lost] = state.routing.get('b-uuid')![0]!;
    const routing = new Map([
      ...state.routing,
      ['b-uuid', [[{ ...lost!, state: 'UNASSIGNED' as const, nodeId: null }]]],
    ]);
    const coordinator = fakeCoordinator(
      { ...state, routing },
      {
        other() {
          throw errors.retryOnPrimary('the copy is not an active primary');
        },
      },
    );
    const began = coordinator.clock.monotonic();
    const { total, successful, failed } = await coordinator.refresh([...state.indices.values()]);
    assert.deepEqual([total, successful, failed], [2, 0, 1]);
    assert.equal(coordinator.clock.monotonic() - began, 60_000);
  },
);
