import type { Clock, TimerHandle } from '@shoal/doors';
import { FairTurns } from '../turns/fair-turns.js';
import type { TurnDoors } from '../turns/turn-doors.js';

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Turns of this thread's event loop. */
export const systemTurns: TurnDoors = {
  now: () => performance.now(),
  later: (callback) => void setImmediate(callback),
  // Ticks run when no microtask is left, so after everything that a resolved promise has caused.
  settled: (callback) => queueMicrotask(() => process.nextTick(callback)),
  processorMs,
  busyMs: () => performance.eventLoopUtilization().active,
};

/** Turns of this thread that all its work shares. */
export const fairTurns = new FairTurns(systemTurns);

/** Longest delay of a timer of Node, in milliseconds: a longer one fires at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** Calls back after a delay of any length. Does not keep the process alive. */
function startTimer(delayMs: number, callback: () => void): TimerHandle {
  const endMs = performance.now() + delayMs;
  let timer: NodeJS.Timeout;
  const run = (): void => fairTurns.inBackground(callback);
  const arm = (): void => {
    const leftMs = endMs - performance.now();
    timer = setTimeout(leftMs > DELAY_MS_MAX ? arm : run, Math.min(leftMs, DELAY_MS_MAX));
    timer.unref();
  };
  arm();
  return { cancel: () => clearTimeout(timer) };
}

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: startTimer,
  yield: fairTurns.pause,
  lane: fairTurns.lane,
  aside: fairTurns.aside,
  turnEnd: systemTurns.later,
};
