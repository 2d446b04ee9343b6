import type { Clock } from '@shoal/doors';
import type { NodeDoors } from '@shoal/node';
import type { EventLoop, Gate, Scheduled } from './event-loop.js';

/** Where wall clocks begin. */
const START_MS = 1_700_000_000_000;
/** A turn of the event loop takes a moment, so that loops that only yield come to an end. */
const YIELD_MS = 0.01;

/** The clock of a machine: its wall time may be wrong, and it may run fast or slow. */
export interface MachineClock {
  offsetMs: number;
  /** Milliseconds that it counts in one of the world's. */
  rate: number;
  /** What it had counted when its rate was set, and when that was. */
  countedMs: number;
  sinceMs: number;
}

export const rightClock = (): MachineClock => ({ offsetMs: 0, rate: 1, countedMs: 0, sinceMs: 0 });

const counted = ({ rate, countedMs, sinceMs }: MachineClock, nowMs: number): number =>
  countedMs + (nowMs - sinceMs) * rate;

/** From now on the clock runs at another rate. */
export function setRate(clock: MachineClock, nowMs: number, rate: number): void {
  clock.countedMs = counted(clock, nowMs);
  clock.sinceMs = nowMs;
  clock.rate = rate;
}

/** Time as one process sees it; `gate` null is the world's own clock. */
export function nodeClock(loop: EventLoop, gate: Gate | null, machine: MachineClock): Clock {
  return {
    now: () => Math.floor(START_MS + machine.offsetMs + counted(machine, loop.now)),
    monotonic: () => counted(machine, loop.now),
    after(delayMs, callback) {
      // Node's timers are never early and last a millisecond at least.
      const scheduled: Scheduled = loop.at(
        loop.now + (gate ? Math.max(1, delayMs) / machine.rate : delayMs),
        gate,
        callback,
      );
      return { cancel: () => void (scheduled.isCancelled = true) };
    },
    yield: () => new Promise<void>((resolve) => void loop.at(loop.now + YIELD_MS, gate, resolve)),
    turnEnd: queueMicrotask,
  };
}

/** Turns of a process's event loop: the next one begins a moment later; what is ready by now is done in this event. */
export function nodeTurns(loop: EventLoop, gate: Gate, clock: Clock): NodeDoors['turns'] {
  return {
    now: clock.monotonic,
    later: (callback) => void loop.at(loop.now + YIELD_MS, gate, callback),
    settled: (callback) => void loop.at(loop.now, gate, callback),
  };
}
