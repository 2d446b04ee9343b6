import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { emptyState } from '@shoal/state';
import { StateWaiters } from './state-waiters.js';

const stateOf = (version: number) => ({ ...emptyState(), version });

test('a condition that throws ends its own wait, and the state reaches the others', async () => {
  const waiters = new StateWaiters(fakeClock());
  const broken = waiters.wait(
    stateOf(1),
    ({ version }) => {
      if (version > 1) throw new Error('not a boolean');
      return false;
    },
    -1,
  );
  const other = waiters.wait(stateOf(1), ({ version }) => version === 2, -1);
  waiters.notify(stateOf(2));
  await assert.rejects(broken, /not a boolean/);
  assert.equal(await other, true);
  await assert.rejects(
    waiters.wait(
      stateOf(1),
      () => {
        throw new Error('at once');
      },
      0,
    ),
    /at once/,
  );
});

test('a wait ends at its time, and all end when the node closes', async () => {
  const clock = fakeClock();
  const waiters = new StateWaiters(clock);
  const timed = waiters.wait(stateOf(1), () => false, 100);
  const endless = waiters.wait(stateOf(1), () => false, -1);
  await Promise.resolve();
  clock.advance(100);
  assert.equal(await timed, false);
  waiters.close();
  assert.equal(await endless, false);
});
