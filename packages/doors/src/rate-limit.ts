import type { Clock } from './clock.js';

/**
 * Creates a limit of `bytesPerSecond()`, shared by all its callers; 0 or less means no limit. The function waits until
 * its bytes may pass.
 */
export function createRateLimit(clock: Clock, bytesPerSecond: () => number): (bytes: number) => Promise<void> {
  let freeAt = 0;
  return async (bytes) => {
    const rate = bytesPerSecond();
    if (rate <= 0) return;
    const now = clock.monotonic();
    freeAt = Math.max(freeAt, now) + (bytes * 1000) / rate;
    if (freeAt - now > 5) await new Promise<void>((resolve) => clock.after(freeAt - now, resolve));
  };
}
