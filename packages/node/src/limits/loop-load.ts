import type { Clock } from '@shoal/doors';

/** Up to this many requests between two samples are never too many, however long turns are. */
const CALM_REQUESTS = 200;
const SAMPLE_MS = 20;
/** New requests are refused after turns have been longer than `TURN_MS` for `SUSTAINED_MS`. */
const TURN_MS = 100;
const SUSTAINED_MS = 250;
/** Weight of the newest turn in the average. */
const NEWEST = 0.3;

/** Tells whether this thread's event loop keeps up with its requests. */
export interface LoopLoad {
  /** Whether to refuse a new request; called for each. Refuses as many as bring turns back to `TURN_MS`. */
  refuses(): boolean;
}

/**
 * Samples the length of turns while requests arrive. Nothing counts the requests that wait in sockets, but they make
 * turns long.
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
      // One of each `turnMs / TURN_MS` new requests is accepted.
      due += 1 - TURN_MS / turnMs;
      if (due < 1) return false;
      due -= 1;
      return true;
    },
  };
}
