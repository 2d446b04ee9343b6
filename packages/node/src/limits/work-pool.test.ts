import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTurns } from '../doors/system-clock.js';
import { createWorkPool, type WorkPool } from './work-pool.js';

const turn = () => new Promise(setImmediate);

const open = (clock: { now: number }, options: { size?: number; queueMax?: number; delayMaxMs?: number } = {}): WorkPool =>
  createWorkPool({ name: 'search', nodeName: 'n', size: 2, queueMax: 1000, delayMaxMs: 500, turns: { ...systemTurns, now: () => clock.now }, ...options });

test('what is beyond the size waits for its turn, in order', async () => {
  const pool = open({ now: 0 });
  const order: number[] = [];
  assert.deepEqual([pool.enter(), pool.enter()], [null, null]);
  const waits = [1, 2].map((i) => pool.enter()!.then(() => order.push(i)));
  assert.deepEqual([pool.counts.active, pool.counts.queue], [2, 2]);
  await turn();
  assert.deepEqual(order, []);
  pool.leave();
  pool.leave();
  await Promise.all(waits);
  assert.deepEqual(order, [1, 2]);
  pool.leave();
  pool.leave();
  assert.deepEqual([pool.counts.active, pool.counts.queue, pool.counts.completed, pool.counts.largest], [0, 0, 4, 2]);
});

test('a full queue refuses with the words of Elasticsearch', () => {
  const pool = open({ now: 0 }, { queueMax: 1 });
  for (let i = 0; i < 3; i++) void pool.enter();
  assert.throws(() => pool.enter(), { type: 'es_rejected_execution_exception', status: 429, message: /rejected execution of \[search\] on .*queue capacity = 1, .*active threads = 2, queued tasks = 1/ });
  assert.equal(pool.counts.rejected, 1);
});

test('a backlog that takes too long to work off refuses newcomers, one that is fast does not', () => {
  const clock = { now: 0 };
  const slow = open(clock);
  for (let i = 0; i < 120; i++) void slow.enter();
  assert.equal(slow.refuses(), false);
  // A request each 10 ms: the 110 others would wait more than a second.
  for (let i = 0; i < 12; i++) {
    clock.now += 10;
    slow.leave();
  }
  assert.equal(slow.refuses(), true);
  const fast = open(clock);
  for (let i = 0; i < 400; i++) void fast.enter();
  for (let i = 0; i < 240; i++) {
    clock.now += 0.5;
    fast.leave();
  }
  assert.equal(fast.refuses(), false);
});

test('a few requests are never refused, however slow they are', () => {
  const clock = { now: 0 };
  const pool = open(clock);
  for (let i = 0; i < 100; i++) void pool.enter();
  for (let i = 0; i < 40; i++) {
    clock.now += 1000;
    pool.leave();
  }
  assert.equal(pool.refuses(), false);
});

test('work that goes on without a pause leaves the rest for the next turn of the event loop', async () => {
  const clock = { now: 0 };
  const pool = open(clock);
  const work = (ms: number): boolean => {
    const isAtOnce = pool.enter() === null;
    if (isAtOnce) {
      clock.now += ms;
      pool.leave();
    }
    return isAtOnce;
  };
  assert.deepEqual([work(5), work(5), work(5)], [true, true, false]);
  await turn();
  assert.deepEqual([pool.counts.active, pool.counts.queue], [1, 0]);
  pool.leave();
  await turn();
  assert.equal(work(10), true);
});

test('requests of clients begin in order, in turns, and no more of them than the pool gets to', async () => {
  const clock = { now: 0 };
  const pool = open(clock);
  const begun: number[] = [];
  const begin = (i: number): void => {
    const turnToBegin = pool.begin();
    if (turnToBegin === null) begun.push(i);
    else void turnToBegin.then(() => begun.push(i));
  };
  begin(0);
  clock.now += 9;
  for (const i of [1, 2, 3, 4]) begin(i);
  assert.deepEqual([begun, pool.counts.queue], [[0], 4], 'the turn is over');
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);

  for (let i = 0; i < 5; i++) void pool.enter(true);
  for (const i of [5, 6]) begin(i);
  await turn();
  await turn();
  assert.deepEqual([begun.length, pool.counts.active, pool.counts.queue], [5, 2, 5], 'three that were begun wait for a place');
  pool.leave();
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6]);
});

test('a queue of what other nodes ask for does not keep requests from beginning', async () => {
  const pool = open({ now: 0 });
  for (let i = 0; i < 20; i++) void pool.enter();
  for (let i = 0; i < 9; i++) {
    assert.equal(pool.begin(), null);
    void pool.enter(true);
  }
  for (let i = 0; i < 10; i++) void pool.enter(true);
  assert.notEqual(pool.begin(), null);
});

test('those that wait to begin are a backlog too, and what was begun is not refused for it', async () => {
  const pool = open({ now: 0 }, { queueMax: 4 });
  for (let i = 0; i < 5; i++) void pool.enter(true);
  assert.equal(pool.refuses(), false);
  void pool.begin();
  assert.equal(pool.refuses(), true);
  assert.throws(() => pool.enter(), { type: 'es_rejected_execution_exception' });
  void pool.enter(true);
  assert.equal(pool.counts.rejected, 2);
});

test('a backlog of those that wait to begin refuses newcomers when it takes too long to work off', async () => {
  const clock = { now: 0 };
  const pool = open(clock);
  assert.equal(pool.begin(), null);
  clock.now += 9;
  for (let i = 0; i < 120; i++) void pool.begin()!.then(() => (clock.now += 20));
  assert.equal(pool.refuses(), false);
  for (let i = 0; i < 30; i++) await turn();
  assert.ok(pool.counts.queue > 64, `${pool.counts.queue} still wait`);
  assert.equal(pool.refuses(), true, 'one in 20 ms');
});
