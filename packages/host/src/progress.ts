import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Progress } from '@shoal/query';

/** A search gives the thread back after this long, so that writes and small searches get their turn. */
const SLICE_MS = 8;

/** Progress of one request on a shard thread: slices, cancellation by `signal`, deadline of the request's `timeout`. */
export function createProgress(clock: Clock, signal: AbortSignal, timeoutMs: number | null): Progress {
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : clock.monotonic() + timeoutMs;
  const start = clock.monotonic();
  let sliceEnd = start + SLICE_MS;
  return {
    elapsedMs: () => clock.monotonic() - start,
    check() {
      if (signal.aborted) throw errors.taskCancelled('task cancelled [the caller went away]');
      return clock.monotonic() > deadline;
    },
    sliceOver: () => clock.monotonic() > sliceEnd,
    async yield() {
      await clock.yield();
      sliceEnd = clock.monotonic() + SLICE_MS;
    },
  };
}
