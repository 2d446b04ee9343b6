import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Progress } from '@shoal/query';
import type { BreakerAccount } from './request-breaker.js';

/** Milliseconds after which a search yields the thread, so that writes and small searches get their turn. */
const SLICE_MS = 8;

/**
 * Creates the progress of one request on a shard thread: yields after a slice, cancellation by `signal`, memory by
 * `account`.
 */
export function createProgress(clock: Clock, signal: AbortSignal, account: BreakerAccount): Progress {
  const yielded = clock.lane();
  const start = clock.monotonic();
  let sliceEnd = start + SLICE_MS;
  let waitedMs = 0;
  return {
    charge: account.charge,
    elapsedMs: () => clock.monotonic() - start,
    workedMs: () => clock.monotonic() - start - waitedMs,
    check() {
      if (signal.aborted) throw errors.taskCancelled('task cancelled [the caller went away]');
      return false;
    },
    sliceOver: () => clock.monotonic() > sliceEnd,
    async yield() {
      const from = clock.monotonic();
      await yielded();
      const now = clock.monotonic();
      waitedMs += now - from;
      sliceEnd = now + SLICE_MS;
    },
  };
}
