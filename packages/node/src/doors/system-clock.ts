import type { Clock } from '@shoal/doors';
import { createFairYield, type TurnDoors } from './fair-yield.js';

/** Turns of this thread's event loop. */
export const systemTurns: TurnDoors = {
  now: () => performance.now(),
  later: (callback) => void setImmediate(callback),
  // Ticks run once no microtask is left: after what a resolved promise has led to.
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
