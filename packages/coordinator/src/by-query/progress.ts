import { doubleNumber } from '@shoal/json';
import type { ByQueryKind } from './by-query-request.js';

/** Counters of one slice, and what failed. */
export class Progress {
  readonly kind: ByQueryKind;
  /** Number of the slice, of a call in slices or of one that asks for a slice; null for all documents. */
  readonly sliceId: number | null;
  total = 0;
  updated = 0;
  created = 0;
  deleted = 0;
  batches = 0;
  versionConflicts = 0;
  noops = 0;
  bulkRetries = 0;
  throttledMs = 0;
  /** When the present wait of the throttle ends, in monotonic milliseconds; 0 while there is none. */
  throttledUntilMs = 0;
  requestsPerSecond: number;
  readonly failures: Record<string, unknown>[] = [];
  /** Worst status of the failures. */
  status = 200;
  /** Why the call was cancelled; null while it was not. */
  cancelled: string | null = null;
  timedOut = false;

  constructor(kind: ByQueryKind, requestsPerSecond: number, sliceId: number | null = null) {
    this.kind = kind;
    this.sliceId = sliceId;
    this.requestsPerSecond = requestsPerSecond;
  }

  /** Adds a failure to the answer. */
  fail(failure: Record<string, unknown>, status: number): void {
    this.failures.push(failure);
    this.status = Math.max(this.status, status);
  }
}

const rate = (perSecond: number): unknown => doubleNumber(Number.isFinite(perSecond) ? Math.fround(perSecond) : -1);

/** Returns the counters as `_tasks` and answers show them. */
export function statusJson(progress: Progress, nowMs: number): Record<string, unknown> {
  const { kind } = progress;
  return {
    ...(progress.sliceId === null ? {} : { slice_id: progress.sliceId }),
    total: progress.total,
    ...(kind === 'delete' ? {} : { updated: progress.updated }),
    ...(kind === 'reindex' ? { created: progress.created } : {}),
    deleted: progress.deleted,
    batches: progress.batches,
    version_conflicts: progress.versionConflicts,
    noops: progress.noops,
    retries: { bulk: progress.bulkRetries, search: 0 },
    throttled_millis: progress.throttledMs,
    requests_per_second: rate(progress.requestsPerSecond),
    ...(progress.cancelled === null ? {} : { canceled: progress.cancelled }),
    throttled_until_millis: Math.max(0, Math.round(progress.throttledUntilMs - nowMs)),
  };
}

const SUMS = [
  'total',
  'updated',
  'created',
  'deleted',
  'batches',
  'versionConflicts',
  'noops',
  'bulkRetries',
  'throttledMs',
] as const;

/** Adds the counters of slices up. */
export function sumOf(slices: readonly Progress[]): Progress {
  const [first] = slices as [Progress, ...Progress[]];
  const sum = new Progress(
    first.kind,
    slices.reduce((total, slice) => total + slice.requestsPerSecond, 0),
  );
  for (const slice of slices) {
    for (const name of SUMS) sum[name] += slice[name];
    sum.failures.push(...slice.failures);
    sum.status = Math.max(sum.status, slice.status);
    sum.cancelled ??= slice.cancelled;
    sum.timedOut ||= slice.timedOut;
    sum.throttledUntilMs = Math.max(sum.throttledUntilMs, slice.throttledUntilMs);
  }
  return sum;
}

/** Returns the counters of a call: of its only slice, or of all with each of them. */
export function progressJson(slices: readonly Progress[], nowMs: number): Record<string, unknown> {
  if (slices.length === 1) return statusJson(slices[0]!, nowMs);
  const each = slices.map((slice) => statusJson(slice, nowMs));
  return { ...statusJson(sumOf(slices), nowMs), slices: each };
}
