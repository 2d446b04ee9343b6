import type { Clock } from '@shoal/doors';

/** Waits so that no more than `bytesPerSecond()` pass; 0 or less: no limit. Shared by all that pass through it. */
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
