import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJson } from '@shoal/json';
import { shard as messages } from '@shoal/protocol';
import { fakeCoordinator, stateWith } from '../fake-cluster.js';

test('copies that recover are refreshed with the others but not counted, and may refuse', async () => {
  const state = stateWith([{ name: 'a', shards: [['n1', 'n2', 'n3']] }]);
  const [started, ...arriving] = state.routing.get('a-uuid')![0]!;
  const routing = new Map([['a-uuid', [[started!, ...arriving.map((copy) => ({ ...copy, state: 'INITIALIZING' as const }))]]]]);
  const asked: string[] = [];
  const coordinator = fakeCoordinator({ ...state, routing }, {
    other(action, nodeId) {
      asked.push(`${action} ${nodeId}`);
      if (nodeId === 'n3') throw new Error('not open yet');
      return messages.encodeShardCallResponse({ body: encodeJson(null) });
    },
  });
  const { total, successful, failed } = await coordinator.broadcast([...state.indices.values()], 'refresh', {});
  assert.deepEqual([total, successful, failed], [3, 1, 0]);
  assert.deepEqual(asked.sort(), ['shard/call n1', 'shard/call n2', 'shard/call n3']);
  asked.length = 0;
  await coordinator.broadcast([...state.indices.values()], 'flush', {});
  assert.deepEqual(asked, ['shard/call n1']);
});
