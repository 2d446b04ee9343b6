import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterAnswer } from './cluster-client.js';
import { afterLook, type ClusterLook, isUnsure, readLook, slownessOf, UNKNOWN } from './readiness.js';

const answered = (uuid = 'u1'): ClusterLook => ({
  kind: 'answered',
  version: '8.12.0',
  clusterName: 'c',
  uuid,
  hasSecurity: true,
  health: 'green',
  late: [],
});
const silent: ClusterLook = { kind: 'silent', said: [{ host: 'http://a:9200', reason: 'refused' }] };
const refused: ClusterLook = { kind: 'refused', status: 401, reason: 'unable to authenticate' };
const answer = (status: number, json: unknown): ClusterAnswer => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(json)),
});

test('a cluster that never answered is unreachable, one that did is lost after two looks without an answer', () => {
  const first = afterLook(UNKNOWN, silent, 1);
  assert.equal(first.state, 'unreachable');
  const ready = afterLook(first, answered(), 2);
  assert.equal(ready.state, 'ready');
  const unsure = afterLook(ready, silent, 3);
  assert.deepEqual([unsure.state, unsure.look.kind, isUnsure(unsure)], ['ready', 'answered', true]);
  const lost = afterLook(unsure, silent, 4);
  assert.deepEqual([lost.state, lost.answeredAtMs, isUnsure(lost)], ['lost', 2, false]);
  assert.equal(afterLook(lost, answered(), 5).state, 'ready');
});

test('looks without an answer count in a row only', () => {
  let state = UNKNOWN;
  for (const look of [answered(), silent, answered(), silent]) state = afterLook(state, look, 1);
  assert.equal(state.state, 'ready');
  assert.equal(afterLook(state, silent, 2).state, 'lost');
});

test('a refused user is unauthorized whatever was before', () => {
  assert.equal(afterLook(UNKNOWN, refused, 1).state, 'unauthorized');
  assert.equal(afterLook(afterLook(UNKNOWN, answered(), 1), refused, 2).state, 'unauthorized');
});

test('another cluster at the same address is not taken for the first one, also at the second look', () => {
  let state = afterLook(UNKNOWN, answered('u1'), 1);
  for (const at of [2, 3]) state = afterLook(state, answered('u2'), at);
  assert.equal(state.state, 'lost');
  assert.match(JSON.stringify(state.look), /another cluster \[u2\]/);
  assert.equal(afterLook(state, answered('u1'), 4).state, 'ready');
});

test('a cluster without an id yet is ready, and its id counts once it has one', () => {
  const forming = afterLook(UNKNOWN, answered('_na_'), 1);
  assert.deepEqual([forming.state, forming.uuid], ['ready', null]);
  const formed = afterLook(forming, answered('u1'), 2);
  assert.deepEqual([formed.state, formed.uuid], ['ready', 'u1']);
});

test('the answers tell security, health and refusals', () => {
  const root = answer(200, { cluster_name: 'c', cluster_uuid: 'u1', version: { number: '8.12.0' } });
  const noHandler = answer(400, { error: 'no handler found for uri [/_security/_authenticate] and method [GET]' });
  const health = answer(200, { status: 'yellow' });
  assert.deepEqual(readLook(root, noHandler, health), { ...answered(), hasSecurity: false, health: 'yellow' });
  assert.deepEqual(readLook(root, answer(200, { username: 'kibana_system' }), health), {
    ...answered(),
    health: 'yellow',
  });
  const denied = answer(401, { error: { reason: 'unable to authenticate user [kibana_system]' } });
  assert.deepEqual(readLook(denied, denied, denied), {
    kind: 'refused',
    status: 401,
    reason: 'unable to authenticate user [kibana_system]',
  });
  assert.equal(readLook(answer(503, {}), noHandler, health).kind, 'silent');
  assert.equal(readLook(answer(200, { hello: 'proxy' }), noHandler, health).kind, 'silent');
});

test('a cluster that is late with some calls is ready and slow, from the second time in a row on', () => {
  const root = answer(200, { cluster_name: 'c', cluster_uuid: 'u1', version: { number: '8.12.0' } });
  const noHealth = readLook(root, answer(200, {}), null);
  let state = afterLook(UNKNOWN, answered(), 1);
  state = afterLook(state, noHealth, 2);
  assert.deepEqual([state.state, slownessOf(state)], ['ready', null]);
  state = afterLook(state, { kind: 'slow', late: ['GET /', 'GET /_cluster/health'] }, 3);
  assert.deepEqual([state.state, state.answeredAtMs], ['ready', 3]);
  assert.deepEqual(slownessOf(state), { since: 2, calls: ['GET /', 'GET /_cluster/health'] });
  assert.equal(state.look.kind === 'answered' && state.look.health, 'green', 'what was known last');
  assert.equal(slownessOf(afterLook(state, answered(), 4)), null);
  const lost = afterLook(afterLook(state, silent, 4), silent, 5);
  assert.deepEqual([lost.state, slownessOf(lost)], ['lost', null]);
});

test('a cluster of which nothing is known yet is not ready before it says who it is', () => {
  const slow = afterLook(UNKNOWN, { kind: 'slow', late: ['GET /'] }, 1);
  assert.equal(slow.state, 'unreachable');
  assert.match(JSON.stringify(slow.look), /is late with GET \//);
});
