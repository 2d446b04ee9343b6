import type { Clock } from './clock.js';
import { pause } from './pause.js';

/** Pauses between attempts, in milliseconds: each is twice as long as the one before, up to `mostMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** The pause behind the attempt of a number, counted from 1. */
export function pauseBehind(attempt: number, { firstMs, mostMs }: Backoff): number {
  return Math.min(mostMs, firstMs * 2 ** (attempt - 1));
}

/**
 * Counts attempts from 1, with a pause behind each, until the signal aborts. Whoever has succeeded leaves the loop:
 *
 *     for await (const attempt of attempts(clock, BACKOFF, signal)) if (await tried(attempt)) return;
 */
export async function* attempts(clock: Clock, backoff: Backoff, signal: AbortSignal): AsyncGenerator<number, void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    yield attempt;
    await pause(clock, pauseBehind(attempt, backoff), signal);
  }
}
