import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTurns } from '../doors/system-clock.js';
import { FairTurns, type WaitingRequests } from '../turns/fair-turns.js';
import { createWorkPool, type WorkPool } from './work-pool.js';

const turn = () => new Promise(setImmediate);

interface OpenOptions {
  readonly size?: number;
  readonly queueMax?: number;
  readonly delayMaxMs?: number;
  /** Another kind of work that shares the turns. */
  readonly other?: WaitingRequests;
}

function open(clock: { now: number }, { other, ...options }: OpenOptions = {}): WorkPool {
  const turns = new FairTurns({ ...systemTurns, now: () => clock.now, processorMs: () => clock.now });
  if (other !== undefined) turns.join(other, 'other');
  return createWorkPool({
    name: 'search',
    nodeName: 'n',
    size: 2,
    queueMax: 1000,
    delayMaxMs: 500,
    turns,
    now: () => clock.now,
    ...options,
  });
}

/** Creates a pool whose turn of the event loop has used its time: new work waits for the next turn. */
function openAfterTurn(options: OpenOptions = {}): {
  readonly clock: { now: number };
  readonly pool: WorkPool;
} {
  const clock = { now: 0 };
  const pool = open(clock, options);
  assert.equal(pool.begin(), null);
  clock.now += 9;
  return { clock, pool };
}

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
  assert.throws(() => pool.enter(), {
    type: 'es_rejected_execution_exception',
    status: 429,
    message: /rejected execution of \[search\] on .*queue capacity = 1, .*active threads = 2, queued tasks = 1/,
  });
  assert.equal(pool.counts.rejected, 1);
});

test('a backlog that takes too long to work off refuses newcomers, one that is fast does not', () => {
  const clock = { now: 0 };
  const slow = open(clock);
  for (let i = 0; i < 120; i++) void slow.enter();
  assert.equal(slow.isOver, false);
  // One request each 10 ms: the last of 110 others would wait more than a second.
  for (let i = 0; i < 12; i++) {
    clock.now += 10;
    slow.leave();
  }
  assert.equal(slow.isOver, true);
  const fast = open(clock);
  for (let i = 0; i < 400; i++) void fast.enter();
  for (let i = 0; i < 240; i++) {
    clock.now += 0.5;
    fast.leave();
  }
  assert.equal(fast.isOver, false);
});

/** Lets ten of `count` requests begin, 150 ms after each other; for each, another one arrives unless it is refused. */
async function stand(pool: WorkPool, clock: { now: number }, count: number): Promise<void> {
  let begun = 0;
  const arrive = (): void =>
    void pool.begin()?.then(() => {
      clock.now += 150;
      begun++;
      if (begun < 10 && !pool.isOver) arrive();
    });
  for (let i = 0; i < count; i++) arrive();
  while (begun < 10) await turn();
}

test('a queue that stands keeps few waiting, and one that empties is free again', async () => {
  const other = { waiting: 0 };
  const { clock, pool } = openAfterTurn({
    other: { isReady: () => other.waiting > 0, start: () => void other.waiting-- },
  });
  await stand(pool, clock, 40);
  assert.equal(pool.isOver, false);
  other.waiting = 1;
  assert.equal(pool.isOver, true, 'other work waits too');
  while (pool.counts.queue > 0) await turn();
  assert.equal(pool.isOver, false);
  clock.now += 9;
  for (let i = 0; i < 40; i++) void pool.begin();
  assert.equal(pool.isOver, false, 'a burst does not stand');
});

test('some dozens of clients that wait for nobody but each other are not refused', async () => {
  const { clock, pool } = openAfterTurn();
  await stand(pool, clock, 40);
  assert.equal(pool.isOver, false);
});

test('a queue of few requests stands without being refused, however slow they are', async () => {
  const { clock, pool } = openAfterTurn();
  await stand(pool, clock, 12);
  assert.equal(pool.isOver, false);
});

test('a few requests of many slow searches each are never refused', async () => {
  const { clock, pool } = openAfterTurn();
  const search = async (): Promise<void> => {
    await pool.enter(true);
    clock.now += 100;
    pool.leave();
  };
  const client = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await pool.begin();
      await Promise.all(Array.from({ length: 5 }, search));
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  assert.deepEqual([pool.counts.rejected, pool.counts.completed], [0, 8 * 5 * 5]);
});

test('a few requests are never refused, however slow they are', () => {
  const clock = { now: 0 };
  const pool = open(clock);
  for (let i = 0; i < 100; i++) void pool.enter();
  for (let i = 0; i < 40; i++) {
    clock.now += 1000;
    pool.leave();
  }
  assert.equal(pool.isOver, false);
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
  assert.deepEqual(
    [begun.length, pool.counts.active, pool.counts.queue],
    [5, 2, 5],
    'three that were begun wait for a place',
  );
  pool.leave();
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6]);
});

/**
 * Runs work of 2 ms in the pool again and again until 2 s have passed, at most `atOnce` at once. `before` runs before
 * each.
 */
function keepBusy(
  pool: WorkPool,
  clock: { now: number },
  options: { atOnce: number; isOwn: boolean; before?: () => Promise<void> },
): Promise<unknown> {
  const worker = async (): Promise<void> => {
    while (clock.now < 2_000) {
      await options.before?.();
      const place = pool.enter(options.isOwn);
      if (place !== null) await place;
      clock.now += 2;
      pool.leave();
      await Promise.resolve();
    }
  };
  return Promise.all(Array.from({ length: options.atOnce }, worker));
}

for (const [who, isOwn] of [
  ['one request of many searches', true],
  ['other nodes', false],
] as const) {
  test(`clients' requests begin while ${who} always have more for the pool`, async () => {
    const clock = { now: 0 };
    const pool = open(clock, { size: 4 });
    let begun = 0;
    const before = async (): Promise<void> => {
      const wait = pool.begin();
      if (wait !== null) await wait;
      begun++;
    };
    await Promise.all([
      keepBusy(pool, clock, { atOnce: 20, isOwn }),
      keepBusy(pool, clock, { atOnce: 5, isOwn: true, before }),
    ]);
    assert.ok(begun > 100, `${begun} of 1000`);
    assert.deepEqual([pool.counts.active, pool.counts.queue], [0, 0]);
  });
}

test(
  'those that wait to begin are a backlog for those that come ' + 'after them, not for what other nodes ask for',
  async () => {
    const { pool } = openAfterTurn({ queueMax: 4 });
    const waits = Array.from({ length: 6 }, () => pool.begin());
    assert.equal(pool.isOver, true);
    assert.throws(() => pool.begin(), { type: 'es_rejected_execution_exception' });
    assert.equal(pool.counts.rejected, 1);
    void pool.enter();
    await Promise.all(waits);
    assert.equal(pool.counts.rejected, 1);
  },
);

test('when none has begun for too long newcomers are refused, however fast they began before', () => {
  const { clock, pool } = openAfterTurn();
  for (let i = 0; i < 100; i++) void pool.begin();
  assert.equal(pool.isOver, false);
  clock.now += 501;
  assert.equal(pool.isOver, true);
});

test('what nobody wants any more costs no turn', async () => {
  const { clock, pool } = openAfterTurn();
  const begun: number[] = [];
  for (let i = 0; i < 60; i++)
    void pool
      .begin(() => i % 30 === 29)!
      .then(() => {
        begun.push(i);
        if (i % 30 === 29) clock.now += 9;
      });
  await turn();
  assert.equal(begun.length, 30);
  await turn();
  assert.equal(begun.length, 60);
});

test('how slow the pool was long ago refuses nobody', async () => {
  const clock = { now: 0 };
  const pool = open(clock);
  for (let i = 0; i < 120; i++) void pool.enter();
  for (let i = 0; i < 120; i++) {
    clock.now += 50;
    pool.leave();
    if (pool.counts.active === 0) await turn();
  }
  assert.deepEqual([pool.counts.active, pool.counts.queue], [0, 0]);
  for (let i = 0; i < 65; i++) void pool.enter();
  assert.equal(pool.isOver, true);
  clock.now += 60_000;
  assert.equal(pool.isOver, false);
});

test('a backlog of those that wait to begin refuses newcomers when it takes too long to work off', async () => {
  const { clock, pool } = openAfterTurn();
  for (let i = 0; i < 120; i++) void pool.begin()!.then(() => (clock.now += 20));
  assert.equal(pool.isOver, false);
  for (let i = 0; i < 30; i++) await turn();
  assert.ok(pool.counts.queue > 64, `${pool.counts.queue} still wait`);
  assert.equal(pool.isOver, true, 'one in 20 ms');
});
