import type { Clock } from '@shoal/doors';
import { FairTurns } from '@shoal/node';
import type { EventLoop, ProcessGate, Scheduled } from './event-loop.js';

/** Start of all wall clocks, in milliseconds since 1970. */
const START_MS = 1_700_000_000_000;
/** Virtual milliseconds of a turn of the event loop, so that loops that only yield end. */
const YIELD_MS = 0.01;

/** The clock of a machine. Its wall time may be wrong, and it may run fast or slow. */
export interface MachineClock {
  offsetMs: number;
  /** Milliseconds that the clock counts in one virtual millisecond. */
  rate: number;
  /** Milliseconds that it had counted when its rate was set, and the virtual time of that. */
  countedMs: number;
  sinceMs: number;
}

/** Creates a machine clock without error. */
export const rightClock = (): MachineClock => ({ offsetMs: 0, rate: 1, countedMs: 0, sinceMs: 0 });

const counted = ({ rate, countedMs, sinceMs }: MachineClock, nowMs: number): number =>
  countedMs + (nowMs - sinceMs) * rate;

/** Changes the rate of a clock from `nowMs` on. */
export function setRate(clock: MachineClock, nowMs: number, rate: number): void {
  clock.countedMs = counted(clock, nowMs);
  clock.sinceMs = nowMs;
  clock.rate = rate;
}

/** Creates the clock of a process; `gate` null for the simulator's own clock. */
export function nodeClock(loop: EventLoop, gate: ProcessGate | null, machine: MachineClock): Clock {
  const yielded = (): Promise<void> => new Promise((resolve) => void loop.at(loop.now + YIELD_MS, gate, resolve));
  return {
    now: () => Math.floor(START_MS + machine.offsetMs + counted(machine, loop.now)),
    monotonic: () => counted(machine, loop.now),
    after(delayMs, callback) {
      // Node's timers are never early, and take at least a millisecond.
      const scheduled: Scheduled = loop.at(
        loop.now + (gate ? Math.max(1, delayMs) / machine.rate : delayMs),
        gate,
        callback,
      );
      return { cancel: () => void (scheduled.isCancelled = true) };
    },
    yield: yielded,
    lane: () => yielded,
    aside: yielded,
    turnEnd: queueMicrotask,
  };
}

/** Turns of a process's event loop. `later` runs a moment later, `settled` in the same event. */
export function nodeTurns(loop: EventLoop, gate: ProcessGate, clock: Clock): FairTurns {
  return new FairTurns({
    now: clock.monotonic,
    later: (callback) => void loop.at(loop.now + YIELD_MS, gate, callback),
    settled: (callback) => void loop.at(loop.now, gate, callback),
  });
}
