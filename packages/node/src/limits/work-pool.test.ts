import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkPool, type WorkPool } from './work-pool.js';

const turn = () => new Promise(setImmediate);

const open = (clock: { now: number }, options: { size?: number; queueMax?: number; delayMaxMs?: number } = {}): WorkPool =>
  createWorkPool({ name: 'search', nodeName: 'n', size: 2, queueMax: 1000, delayMaxMs: 500, now: () => clock.now, later: (callback) => void setImmediate(callback), ...options });

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

test('work that waits gets four times what the rest of a turn has taken, within bounds', async () => {
  let [nowMs, ends]: [number, (() => void)[]] = [0, []];
  const pool = createWorkPool({ name: 'search', nodeName: 'n', size: 100, queueMax: 100, delayMaxMs: 1000, now: () => nowMs, later: (callback) => void ends.push(callback) });
  const startsAt = (ms: number): boolean => {
    nowMs = ms;
    return pool.enter() === null;
  };
  /** What else the event loop has to do until `ms`; then the next turn of work begins. */
  const elsewhere = (ms: number): void => {
    nowMs = ms;
    const due = ends;
    ends = [];
    for (const end of due) end();
  };
  assert.deepEqual([startsAt(0), startsAt(7), startsAt(8)], [true, true, false]);
  elsewhere(11);
  assert.deepEqual([startsAt(22), startsAt(23)], [true, false], '4 times 3 ms');
  elsewhere(24);
  assert.deepEqual([startsAt(31), startsAt(32)], [true, false], 'not less than 8 ms');
  elsewhere(1_000);
  assert.deepEqual([startsAt(1_013), startsAt(1_014)], [true, false], 'nor more than 14');
});
