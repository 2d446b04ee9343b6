import type { Clock } from '@shoal/doors';

/** Milliseconds after which long work gives the thread back. */
const TURN_MS = 4;

/** Turns of work of one call that takes time in proportion to what its client sent. */
export interface Turns {
  /**
   * Returns null while this turn of the thread lasts; else a promise to await, which resolves in a later turn. It
   * rejects with the signal's reason if the client has gone. Ask about every thousand steps.
   */
  pause(): Promise<void> | null;
}

/** Makes the turns of a call, of the kind of work that runs now; `signal` is aborted when its client disconnects. */
export function takeTurns(clock: Pick<Clock, 'monotonic' | 'lane'>, signal: AbortSignal): Turns {
  const yielded = clock.lane();
  let end = clock.monotonic() + TURN_MS;
  const next = async (): Promise<void> => {
    signal.throwIfAborted();
    await yielded();
    signal.throwIfAborted();
    end = clock.monotonic() + TURN_MS;
  };
  return { pause: () => (clock.monotonic() > end ? next() : null) };
}

/** Makes something of each item. One may take long, as a script does: the thread is given back between them. */
export async function makeInTurns<T, R>(items: readonly T[], make: (item: T) => R, turns: Turns): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) {
    const pause = turns.pause();
    if (pause !== null) await pause;
    made.push(make(item));
  }
  return made;
}
