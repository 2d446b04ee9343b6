import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ViewThread } from '@shoal/host';
import { FairTurns } from './fair-turns.js';
import { followedThread } from './followed-threads.js';

test('what a search does with the answer of another thread is charged to searches', async () => {
  let now = 0;
  const turns = new FairTurns({
    now: () => now,
    later: (callback) => void setImmediate(callback),
    settled: (callback) => void nextTurn().then(callback),
  });
  let answer = (_bytes: Uint8Array): void => assert.fail();
  const thread: ViewThread = {
    life: 3,
    isReady: () => true,
    search: () => new Promise((resolve) => (answer = resolve)),
    forget: async () => undefined,
    clear: () => undefined,
  };
  const followed = followedThread(thread, turns.follow);
  let isDone = false;
  const search = async (): Promise<void> => {
    await followed.search(new Uint8Array(0), new AbortController().signal);
    now += 5;
    await turns.pause();
    now += 2;
    isDone = true;
  };
  const share = turns.join({ isReady: () => false, start: () => undefined }, 'search');
  assert.ok(share.mayStart());
  void search();
  await nextTurn();
  answer(new Uint8Array(0));
  while (!isDone) await nextTurn();
  await nextTurn();
  const used = new Map(turns.times().map(({ kind, usedMs }) => [kind, usedMs]));
  assert.deepEqual([used.get('search'), used.get('background')], [7, 0]);
  assert.deepEqual([followed.life, followed.isReady()], [3, true]);
});
