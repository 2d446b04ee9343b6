import assert from 'node:assert/strict';
import test from 'node:test';
import { type NodeInfo, emptyState } from '@shoal/state';
import { restartedNodes } from './propose-next.js';

const node = (id: string, ephemeralId: string): NodeInfo => ({
  id,
  ephemeralId,
  name: id,
  host: id,
  ip: id,
  transportAddress: `${id}:9300`,
  httpAddress: null,
  roles: [],
  attributes: {},
  version: '8.12.0',
  dataAddress: null,
});

test('a node of the state that runs in another process now is taken in anew', () => {
  const state = {
    ...emptyState(),
    nodes: new Map([
      ['a', node('a', '1')],
      ['b', node('b', '1')],
      ['c', node('c', '1')],
    ]),
  };
  const linked = new Map([
    ['a', node('a', '1')],
    ['b', node('b', '2')],
    ['d', node('d', '1')],
  ]);
  assert.deepEqual(
    restartedNodes(state, (id) => linked.get(id) ?? null),
    [node('b', '2')],
  );
});
