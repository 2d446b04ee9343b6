import { performance } from 'node:perf_hooks';

/** Milliseconds over which the use of the event loop is measured. */
const WINDOW_MS = 25;
/** Share of its time that a busy event loop works. A single client that waits for each answer leaves more. */
const BUSY_SHARE = 0.9;

/** Returns a function that tells whether this thread's event loop has worked nearly all the time lately. */
export function loopIsBusy(): () => boolean {
  let before = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt < WINDOW_MS) return isBusy;
    const after = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(after, before).utilization >= BUSY_SHARE;
    [before, measuredAt] = [after, now];
    return isBusy;
  };
}
