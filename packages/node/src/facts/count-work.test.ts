import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shard } from '@shoal/protocol';
import { countWork } from './count-work.js';

const signal = new AbortController().signal;
const call = (action: string) => shard.encodeShardCall({ shard: undefined, indexName: '', action, body: new Uint8Array(0) });

test('messages count as work of a pool while and after they are worked on, failed ones too', async () => {
  let finish: () => void = () => undefined;
  const work = countWork((action) => (action === 'shard/query' ? new Promise((resolve) => (finish = () => resolve(new Uint8Array(0)))) : Promise.reject(new Error('no'))));
  const searching = work.handle('shard/query', new Uint8Array(3), signal);
  assert.deepEqual(work.pool('search'), { active: 1, largest: 1, completed: 0 });
  finish();
  await searching;
  assert.deepEqual(work.pool('search'), { active: 0, largest: 1, completed: 1 });
  await assert.rejects(async () => work.handle('shard/bulk', new Uint8Array(7), signal));
  assert.equal(work.pool('write').completed, 1);
  assert.deepEqual(work.written, { current: 0, total: 7 });
});

test('calls count in the pools that their names have, others as management', async () => {
  const work = countWork(async () => new Uint8Array(0));
  for (const action of ['refresh', 'flush', 'force_merge', 'stats']) await work.handle('shard/call', call(action), signal);
  await work.handle('state/publish', new Uint8Array(0), signal);
  assert.deepEqual(['refresh', 'flush', 'force_merge', 'management', 'search'].map((name) => work.pool(name).completed), [1, 1, 1, 1, 0]);
});
