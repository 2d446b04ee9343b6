import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handlerForPeers } from './local-handler.js';

test('other nodes reach shards and coordinators, and not what the threads of a node say to each other', async () => {
  const handled: string[] = [];
  const asked = handlerForPeers((action) => {
    handled.push(action);
    return Promise.resolve(new Uint8Array(0));
  });
  const ask = (action: string): Promise<Uint8Array> => asked(action, new Uint8Array(0), new AbortController().signal);
  for (const action of [
    'shard/get',
    'replication/sync',
    'recovery/start',
    'store/list',
    'coordinator/scroll',
    'node/call',
  ])
    await ask(action);
  assert.equal(handled.length, 6);
  for (const action of [
    'main/task',
    'master/task',
    'state/publish',
    'to/data/n2/shard/get',
    'control/close',
    'thread/close',
    '',
  ]) {
    await assert.rejects(ask(action), { type: 'action_not_found_transport_exception' });
  }
  assert.equal(handled.length, 6);
});
