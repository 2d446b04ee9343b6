import type { Clock } from '@shoal/doors';
import type { EventLoop, Gate, Scheduled } from './event-loop.js';

/** Where wall clocks begin. */
const START_MS = 1_700_000_000_000;
/** A turn of the event loop takes a moment, so that loops that only yield come to an end. */
const YIELD_MS = 0.01;

/** A wall clock, which may be wrong. */
export interface WallClock {
  offsetMs: number;
}

/** Time as one process sees it; `gate` null is the world's own clock. */
export function nodeClock(loop: EventLoop, gate: Gate | null, wall: WallClock): Clock {
  return {
    now: () => Math.floor(START_MS + wall.offsetMs + loop.now),
    monotonic: () => loop.now,
    after(delayMs, callback) {
      // Node's timers are never early and last a millisecond at least.
      const scheduled: Scheduled = loop.at(loop.now + (gate ? Math.max(1, delayMs) : delayMs), gate, callback);
      return { cancel: () => void (scheduled.isCancelled = true) };
    },
    yield: () => new Promise<void>((resolve) => void loop.at(loop.now + YIELD_MS, gate, resolve)),
  };
}
