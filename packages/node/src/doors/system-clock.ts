import type { Clock } from '@shoal/doors';
import { FairTurns } from '../turns/fair-turns.js';
import type { TurnDoors } from '../turns/turn-doors.js';

/** Turns of this thread's event loop. */
export const systemTurns: TurnDoors = {
  now: () => performance.now(),
  later: (callback) => void setImmediate(callback),
  // Ticks run when no microtask is left, so after everything that a resolved promise has caused.
  settled: (callback) => queueMicrotask(() => process.nextTick(callback)),
  busyMs: () => performance.eventLoopUtilization().active,
};

/** Turns of this thread that all its work shares. */
export const fairTurns = new FairTurns(systemTurns);

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yield: fairTurns.pause,
  turnEnd: systemTurns.later,
};
