import type { Pending } from './processor.js';

/** Returns a promise of the next turn of the thread if it is due to others, else null. */
export type Pause = () => Promise<void> | null;

/**
 * Repeats a short step until it returns false, and gives the thread to others in between when it is due to them. Ends
 * at once, without a promise, if that never happens.
 */
export function inTurns(step: () => boolean, pause: Pause): Pending {
  while (step()) {
    const paused = pause();
    if (paused) return goOn(step, pause, paused);
  }
}

async function goOn(step: () => boolean, pause: Pause, first: Promise<void>): Promise<void> {
  await first;
  while (step()) {
    const paused = pause();
    if (paused) await paused;
  }
}

/** Hands on a result that is there, or that a promise brings. */
export function andThen<T, R>(result: T | Promise<T>, next: (value: T) => R): R | Promise<Awaited<R>> {
  return result instanceof Promise ? (result.then(next) as Promise<Awaited<R>>) : next(result);
}

/** As `inTurns`; what `result` returns once all steps are done. */
export function resultInTurns<R>(step: () => boolean, pause: Pause, result: () => R): R | Promise<R> {
  const pending = inTurns(step, pause);
  return pending ? pending.then(result) : result();
}
