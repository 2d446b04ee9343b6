import type { Clock } from '@shoal/doors';

/** A turn of the event loop that brings no more requests is never one of too many. */
const CALM_REQUESTS = 200;
const SAMPLE_MS = 20;
/** Newcomers are refused when turns have taken longer for so long. */
const TURN_MS = 100;
const SUSTAINED_MS = 250;
/** Weight of the newest turn. */
const NEWEST = 0.3;

/** Whether this thread's event loop keeps up with its requests. */
export interface LoopLoad {
  /** Asked for each newcomer. Refuses such a part of them that turns come back to their bound. */
  refuses(): boolean;
}

/**
 * Samples the length of turns while requests come. What waits in sockets is seen by nobody, but it makes turns long.
 */
export function createLoopLoad(clock: Pick<Clock, 'monotonic' | 'after'>): LoopLoad {
  let [turnMs, slowSince, isSampling, arrived, due] = [0, Infinity, false, 0, 0];
  const sample = (): void => {
    const expected = clock.monotonic() + SAMPLE_MS;
    clock.after(SAMPLE_MS, () => {
      const now = clock.monotonic();
      turnMs += NEWEST * (Math.max(0, now - expected) - turnMs);
      slowSince = turnMs < TURN_MS || arrived <= CALM_REQUESTS ? Infinity : Math.min(slowSince, now);
      isSampling = arrived > 0;
      arrived = 0;
      if (isSampling) sample();
      else turnMs = 0;
    });
  };
  return {
    refuses() {
      arrived++;
      if (!isSampling) {
        isSampling = true;
        sample();
      }
      if (slowSince === Infinity || clock.monotonic() - slowSince < SUSTAINED_MS) return false;
      // Of each `turnMs / TURN_MS` newcomers one is taken.
      due += 1 - TURN_MS / turnMs;
      if (due < 1) return false;
      due -= 1;
      return true;
    },
  };
}
