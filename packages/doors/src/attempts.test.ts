import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempts, pauseBehind } from './attempts.js';
import { fakeClock } from './clock.js';

const BACKOFF = { firstMs: 200, mostMs: 1000 };

/** Lets what was resolved run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('pauses double up to the longest', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 5000].map((attempt) => pauseBehind(attempt, BACKOFF)),
    [200, 400, 800, 1000, 1000, 1000],
  );
});

test('the next attempt begins when the pause behind the last one is over', async () => {
  const clock = fakeClock(0);
  const begun: number[] = [];
  const done = (async () => {
    for await (const attempt of attempts(clock, BACKOFF, new AbortController().signal)) {
      begun.push(clock.now());
      if (attempt === 4) return;
    }
  })();
  await settled();
  for (const ms of [199, 1, 399, 1, 799, 1]) {
    clock.advance(ms);
    await settled();
  }
  await done;
  assert.deepEqual(begun, [0, 200, 600, 1400]);
});

test('a signal ends the attempts, also amid a pause', async () => {
  const clock = fakeClock(0);
  const end = new AbortController();
  let count = 0;
  const done = (async () => {
    for await (const attempt of attempts(clock, BACKOFF, end.signal)) count = attempt;
  })();
  await settled();
  clock.advance(200);
  await settled();
  end.abort();
  await done;
  assert.equal(count, 2);
});

test('nothing is tried when the signal has aborted already', async () => {
  for await (const attempt of attempts(fakeClock(), BACKOFF, AbortSignal.abort())) assert.fail(`attempt ${attempt}`);
});
