import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairYield } from './fair-yield.js';
import { systemClock } from './system-clock.js';

/** Creates turns that the test begins by hand; each slice of work takes `ms` milliseconds. */
function scene(pollMs = 0): {
  polls(): number;
  work(name: string, slices: number, ms: number): Promise<void>;
  turn(): Promise<string[]>;
} {
  let [now, polls, log, begin] = [0, 0, [] as string[], (): void => assert.fail('no turn was asked for')];
  const pause = createFairYield({
    now: () => now,
    later: (callback) => void (begin = callback),
    settled: (callback) => void nextTurn().then(callback),
  });
  return {
    polls: () => polls,
    async work(name, slices, ms) {
      for (let i = 0; i < slices; i++) {
        await pause();
        log.push(name);
        now += ms;
      }
    },
    async turn() {
      log = [];
      for (polls = 0; log.length === 0; polls++) {
        now += pollMs;
        begin();
        for (let i = 0; i < 20; i++) await nextTurn();
      }
      return log;
    },
  };
}

test('a turn takes those that wait in order, until its time is over', async () => {
  const { work, turn } = scene();
  for (const name of ['a', 'b', 'c', 'd']) void work(name, 2, 6);
  assert.deepEqual(await turn(), ['a', 'b']);
  assert.deepEqual(await turn(), ['c', 'd']);
  assert.deepEqual(await turn(), ['a', 'b']);
  assert.deepEqual(await turn(), ['c', 'd']);
});

test('who goes on in a turn waits for the next one when it gives the thread back again', async () => {
  const { work, turn } = scene();
  void work('a', 3, 0);
  for (let i = 0; i < 3; i++) assert.deepEqual(await turn(), ['a']);
});

test('after a long turn the sockets are looked at several times', async () => {
  const { work, turn, polls } = scene();
  void work('a', 1, 100);
  void work('b', 1, 1);
  await turn();
  assert.deepEqual([await turn(), polls()], [['b'], 20]);
});

test('where the sockets take long, work gets four times as long, and they are not looked at again', async () => {
  const { work, turn, polls } = scene(5);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void work(name, 2, 6);
  assert.deepEqual(await turn(), ['a', 'b']);
  assert.deepEqual([await turn(), polls()], [['c', 'd', 'e', 'f'], 1]);
});

test('turns of the system come around while much waits', async () => {
  let isOver = false;
  let turns = 0;
  const count = async (): Promise<void> => {
    for (; !isOver; turns++) await nextTurn();
  };
  const busy = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await systemClock.yield();
      const until = performance.now() + 4;
      while (performance.now() < until);
    }
  };
  const counting = count();
  await Promise.all(Array.from({ length: 20 }, busy));
  isOver = true;
  await counting;
  assert.ok(turns >= 12, `${turns} turns for 240 ms of work`);
});
