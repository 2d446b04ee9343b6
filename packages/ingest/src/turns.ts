import type { Clock } from '@shoal/doors';

/** Milliseconds of work after which the thread is given to others. */
const TURN_MS = 8;

/**
 * Makes the function that long work calls between two steps: null while the turn of the thread lasts, else a promise of
 * the next turn. The promise rejects with the reason of the signal if the client has gone.
 */
export function turnsOf(clock: Pick<Clock, 'monotonic' | 'yield'>, signal: AbortSignal): () => Promise<void> | null {
  let endMs = clock.monotonic() + TURN_MS;
  const next = async (): Promise<void> => {
    signal.throwIfAborted();
    await clock.yield();
    signal.throwIfAborted();
    endMs = clock.monotonic() + TURN_MS;
  };
  return () => (clock.monotonic() > endMs ? next() : null);
}
