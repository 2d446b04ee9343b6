import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns, inTurns } from './turns.js';

test('so many run at a time, and one that fails gives its turn on', async () => {
  const turns = createTurns(2);
  const ends: ((failure?: Error) => void)[] = [];
  const begun: number[] = [];
  const results = [0, 1, 2, 3].map((i) =>
    turns.run(() => {
      begun.push(i);
      return new Promise<number>((resolve, reject) => ends.push((failure) => (failure ? reject(failure) : resolve(i))));
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  ends[1]!(new Error('broken'));
  await assert.rejects(results[1]!, { message: 'broken' });
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]!();
  ends[2]!();
  assert.deepEqual([await results[0], await results[2]], [0, 2]);
  ends[3]!();
  assert.equal(await results[3], 3);
});

test('work beyond the bound waits, and beyond the queue is refused', async () => {
  const work = createTurns(1, {
    waitingMax: 1,
    refusal: (running, waiting) => new Error(`${running} run and ${waiting} wait`),
  });
  let release: () => void = () => undefined;
  const first = work.run(() => new Promise<void>((resolve) => (release = resolve)));
  const second = work.run(async () => 'second');
  await assert.rejects(
    work.run(async () => 'third'),
    { message: '1 run and 1 wait' },
  );
  assert.deepEqual([work.waiting, work.refused], [1, 1]);
  release();
  assert.deepEqual([await first, await second], [undefined, 'second']);
});

test('items are worked off in order, so many at once', async () => {
  let running = 0;
  let most = 0;
  const doubled = await inTurns([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return item * 2;
  });
  assert.deepEqual(doubled, [2, 4, 6, 8, 10]);
  assert.equal(most, 2);
});
