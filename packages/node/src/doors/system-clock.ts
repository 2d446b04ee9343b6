import type { Clock } from '@shoal/doors';
import { createFairYield } from './fair-yield.js';

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yield: createFairYield({
    now: () => performance.now(),
    later: (callback) => void setImmediate(callback),
    // Ticks run once no microtask is left: after what the resolved promise has led to.
    settled: (callback) => queueMicrotask(() => process.nextTick(callback)),
  }),
};
