import type { Clock } from '@shoal/doors';
import { createFairYield, type TurnDoors } from './fair-yield.js';

/** Turns of this thread's event loop. */
export const systemTurns: TurnDoors = {
  now: () => performance.now(),
  later: (callback) => void setImmediate(callback),
  // Ticks run when no microtask is left, so after everything that a resolved promise has caused.
  settled: (callback) => queueMicrotask(() => process.nextTick(callback)),
};

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yield: createFairYield(systemTurns),
  turnEnd: systemTurns.later,
};
