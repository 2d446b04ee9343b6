import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '@shoal/doors';
import { createLoopLoad } from './loop-load.js';

/** Creates a clock whose timers are late by the length of a turn. */
function slowLoop(): { clock: Parameters<typeof createLoopLoad>[0]; turn(ms: number): void } {
  const clock = fakeClock();
  const due: (() => void)[] = [];
  return {
    clock: { monotonic: clock.monotonic, after: (_ms, callback) => (due.push(callback), { cancel: () => undefined }) },
    turn(ms) {
      clock.advance(ms);
      for (const callback of due.splice(0)) callback();
    },
  };
}

/** Returns how many of `count` new requests were refused in the last of 20 turns. */
function refusedOf(count: number, turnMs: number): number {
  const { clock, turn } = slowLoop();
  const load = createLoopLoad(clock);
  let refused = 0;
  for (let i = 0; i < 20; i++) {
    refused = Array.from({ length: count }, () => load.refuses()).filter(Boolean).length;
    turn(turnMs);
  }
  return refused;
}

test(
  'when turns with many requests are long for a while, only as many ' + 'newcomers are taken as make them short again',
  () => {
    const refused = refusedOf(1000, 420);
    assert.ok(refused >= 700 && refused <= 800, `${refused} of 1000 refused with turns four times as long as wanted`);
  },
);

test('long turns with few requests and short ones with many refuse nobody', () => {
  assert.deepEqual([refusedOf(100, 1000), refusedOf(1000, 50)], [0, 0]);
});
