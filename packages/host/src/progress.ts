import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Progress } from '@shoal/query';
import type { BreakerAccount } from './request-breaker.js';

/** A search gives the thread back after this long, so that writes and small searches get their turn. */
const SLICE_MS = 8;

/** Progress of one request on a shard thread: slices, cancellation by `signal`, memory by `account`. */
export function createProgress(clock: Clock, signal: AbortSignal, account: BreakerAccount): Progress {
  const start = clock.monotonic();
  let sliceEnd = start + SLICE_MS;
  return {
    charge: account.charge,
    elapsedMs: () => clock.monotonic() - start,
    check() {
      if (signal.aborted) throw errors.taskCancelled('task cancelled [the caller went away]');
      return false;
    },
    sliceOver: () => clock.monotonic() > sliceEnd,
    async yield() {
      await clock.yield();
      sliceEnd = clock.monotonic() + SLICE_MS;
    },
  };
}
