import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './system-clock.js';

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a delay that is too long for a timer of Node does not end at once', async () => {
  let isOver = false;
  const timer = systemClock.after(2 ** 31, () => (isOver = true));
  await later(30);
  timer.cancel();
  assert.equal(isOver, false);
});

test('a short delay ends, unless it is cancelled', async () => {
  const ended: string[] = [];
  systemClock.after(1, () => void ended.push('kept'));
  systemClock.after(1, () => void ended.push('cancelled')).cancel();
  await later(50);
  assert.deepEqual(ended, ['kept']);
});
