import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeInfo } from '@shoal/state';
import { errors } from '@shoal/errors';
import { CALL, failure, fakeCoordinator, stateWith } from '../../fake-cluster.js';
import { encodeScrollId } from './scroll-id.js';

const OTHER: NodeInfo = {
  id: 'n2',
  ephemeralId: 'start-2',
  name: 'n2',
  host: 'h',
  ip: '10.0.0.2',
  transportAddress: '10.0.0.2:9300',
  httpAddress: null,
  roles: ['data'],
  attributes: {},
  version: '8.12.0',
  dataAddress: null,
};

const nextPage = (session: string, answer: () => never) => {
  const coordinator = fakeCoordinator(
    stateWith([{ name: 'a', shards: [['n2']] }], { nodes: new Map([[OTHER.id, OTHER]]) }),
    { other: answer },
  );
  const scrollId = encodeScrollId({ nodeId: 'n2', session, cursor: 7, shards: 1 });
  return failure(() => coordinator.scroll({ scrollId, keepAliveMs: null, totalHitsAsInt: false }, CALL));
};

test('a scroll of a node that cannot be reached any more is missing', async () => {
  const lost = await nextPage('start-2', () => {
    throw errors.nodeNotConnected('[n2][10.0.0.2:9300] Node not connected');
  });
  assert.deepEqual([lost.status, lost.type], [404, 'search_phase_execution_exception']);
  assert.deepEqual(
    await nextPage('start-1', () => assert.fail('an earlier process of the node is not asked for')),
    lost,
  );
});

test('what a node says about its scroll is passed on', async () => {
  const refused = await nextPage('start-2', () => {
    throw errors.illegalArgument('scroll [7] is already being read');
  });
  assert.deepEqual(refused, {
    status: 400,
    type: 'illegal_argument_exception',
    reason: 'scroll [7] is already being read',
  });
});
