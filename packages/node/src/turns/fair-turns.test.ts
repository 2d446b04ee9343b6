import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FairShare, FairTurns } from './fair-turns.js';
import { systemClock } from '../doors/system-clock.js';

/** Creates turns that the test begins by hand; each slice of work takes `ms` milliseconds. */
function scene(pollMs = 0): {
  polls(): number;
  work(name: string, slices: number, ms: number): Promise<void>;
  turn(): Promise<string[]>;
} {
  let [now, polls, log, begin] = [0, 0, [] as string[], (): void => assert.fail('no turn was asked for')];
  const { pause } = new FairTurns({
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

test('where the sockets take very long, work gets as long as they', async () => {
  const { work, turn } = scene(60);
  for (let i = 0; i < 40; i++) void work('a', 2, 6);
  await turn();
  assert.equal((await turn()).length, 10);
});

test('after a thread stood still for long the sockets do not wait as long again', async () => {
  const { work, turn } = scene(20_000);
  for (let i = 0; i < 40; i++) void work('a', 2, 50);
  await turn();
  assert.equal((await turn()).length, 10);
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

/** A thread whose time the test turns: what it runs takes time, and sockets are looked at between turns. */
function thread() {
  let now = 0;
  const later: (() => void)[] = [];
  const turns = new FairTurns({
    now: () => now,
    later: (callback) => void later.push(callback),
    settled: (callback) => void nextTurn().then(callback),
  });
  /** A kind of requests of `ms` each, of which there are always some. */
  const endless = (ms: number, isEndless = true) => {
    const kind = { usedMs: 0, started: 0, waiting: 0, longest: 0 };
    const share = turns.join(
      {
        isReady: () => isEndless || kind.waiting > 0,
        start() {
          kind.waiting--;
          kind.started++;
          kind.usedMs += ms;
          now += ms;
        },
      },
      `${ms} ms`,
    );
    return { kind, share };
  };
  return {
    turns,
    endless,
    work: (ms: number) => void (now += ms),
    async run(count: number) {
      for (let i = 0; i < count; i++) {
        const sinceMs = now;
        for (const callback of later.splice(0)) callback();
        for (let j = 0; j < 60; j++) await nextTurn();
        assert.ok(now - sinceMs < 60, `a turn of ${now - sinceMs} ms`);
        now += 1;
      }
    },
  };
}

test('kinds of cheap and of expensive requests use the same time', async () => {
  const { endless, run } = thread();
  const kinds = [endless(0.05), endless(1), endless(5)];
  for (const { share } of kinds) share.wake();
  await run(120);
  const used = kinds.map(({ kind }) => kind.usedMs);
  assert.ok(Math.max(...used) < 1.2 * Math.min(...used), used.join(' '));
});

test('long work that pauses is charged to the kind that began it, and waits like its requests', async () => {
  const { turns, endless, work, run } = thread();
  const small = endless(0.5);
  let longMs = 0;
  const long = async (): Promise<void> => {
    for (;;) {
      await turns.pause();
      longMs += 4;
      work(4);
    }
  };
  let begun = 0;
  const share = turns.join(
    {
      isReady: () => begun < 8,
      start() {
        begun++;
        void long();
      },
    },
    'long',
  );
  small.share.wake();
  share.wake();
  await run(120);
  assert.ok(Math.abs(longMs - small.kind.usedMs) < 0.2 * longMs, `${longMs} and ${small.kind.usedMs} ms`);
});

test('requests that arrive start at once while there is time and nothing waits', async () => {
  const { endless, work, run } = thread();
  const a = endless(1, false);
  const b = endless(1, false);
  assert.deepEqual([a.share.mayStart(), b.share.mayStart()], [true, true]);
  work(9);
  assert.equal(a.share.mayStart(), false, 'the sockets have taken long enough');
  a.kind.waiting = 1;
  a.share.wake();
  assert.equal(b.share.mayStart(), false, 'a request of another kind waits');
  await run(3);
  assert.deepEqual([a.kind.started, b.share.mayStart()], [1, true]);
});

test('work that took a lane goes on in it, though work of another kind resolves what it waits for', async () => {
  const { turns, work, run } = thread();
  const waits: (() => void)[] = [];
  const kindOf = (name: string): FairShare =>
    turns.join({ isReady: () => waits.length > 0 && name === 'search', start: () => waits.shift()!() }, name);
  const [write, search] = [kindOf('write'), kindOf('search')];
  const copy = async (): Promise<void> => {
    write.mayStart();
    const pause = turns.lane();
    for (let page = 0; page < 3; page++) {
      const searched = new Promise<void>((resolve) => waits.push(resolve));
      search.wake();
      await searched;
      await pause();
      work(4);
    }
  };
  void copy();
  await run(12);
  const used = new Map(turns.times().map(({ kind, usedMs }) => [kind, usedMs]));
  assert.deepEqual([used.get('write'), used.get('search')], [12, 0]);
});

test('work aside gets a fifth of the time that requests want too, and all that they leave', async () => {
  const { turns, endless, work, run } = thread();
  const feed = async (): Promise<void> => {
    for (;;) {
      await turns.aside();
      work(2);
      await turns.pause();
      work(2);
    }
  };
  for (let i = 0; i < 8; i++) void feed();
  await run(5);
  const usedOf = (kind: string): number => turns.times().find((time) => time.kind === kind)!.usedMs;
  const alone = usedOf('aside');
  assert.ok(alone >= 5 * 8, `${alone} ms alone`);
  const { share } = endless(2);
  share.wake();
  await run(100);
  const [aside, requests] = [usedOf('aside') - alone, usedOf('2 ms')];
  assert.ok(requests > 3.5 * aside && requests < 4.5 * aside, `${aside} ms beside ${requests} ms of requests`);
});

test('calls about the cluster wait for no other kind, and go on in it after a disk has answered', async () => {
  const { turns, endless, work, run } = thread();
  const { kind, share } = endless(1);
  const merge = async (): Promise<void> => {
    for (;;) {
      await turns.pause();
      work(8);
    }
  };
  for (let i = 0; i < 20; i++) void merge();
  share.wake();
  await run(5);
  const before = kind.started;
  let isDone = false;
  const call = async (): Promise<void> => {
    turns.startControl();
    work(1);
    await turns.follow(Promise.resolve());
    work(1);
    await turns.pause();
    work(1);
    isDone = true;
  };
  void call();
  for (let i = 0; i < 3; i++) await nextTurn();
  await run(1);
  assert.ok(isDone && kind.started - before <= 32, `${kind.started - before} requests came before`);
  const used = new Map(turns.times().map((time) => [time.kind, time.usedMs]));
  assert.equal(used.get('control'), 3);
  assert.ok(used.get('background')! > 0 && used.get('1 ms') === kind.usedMs);
});
