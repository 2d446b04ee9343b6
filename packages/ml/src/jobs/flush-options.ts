import { errors } from '@shoal/errors';
import { GAP_BUCKETS_MAX } from '@shoal/learning';
import { timeText } from './time-text.js';

/** Options of `_flush`; times in milliseconds. */
export interface FlushOptions {
  readonly calcInterim: boolean;
  readonly advanceToMs: number | null;
  readonly skipToMs: number | null;
  /** Interim results are written for a bucket that begins in [from, to) only; absent or null for any. */
  readonly interimFromMs?: number | null;
  readonly interimToMs?: number | null;
  /** Whether the asker asks again after a fall back to a checkpoint: a datafeed. Then none is made. */
  readonly isRepeated?: boolean;
  /** End of what a datafeed has given in all, which must be kept before the answer: it gives no more. */
  readonly fedToMs?: number | null;
}

/**
 * Refuses to finish more buckets at once than are judged of a gap: often a time in a wrong unit. `firstMs` is the end
 * of the last bucket that is finished, or the time of the first document.
 */
export function checkGap({ advanceToMs, skipToMs }: FlushOptions, firstMs: number, spanS: number): void {
  if (advanceToMs === null) return;
  const buckets = Math.floor((advanceToMs - Math.max(firstMs, skipToMs ?? firstMs)) / (1000 * spanS));
  if (buckets <= GAP_BUCKETS_MAX) return;
  throw errors.illegalArgument(
    `advance_time [${advanceToMs}] is [${buckets}] buckets of [${timeText(spanS * 1000)}] after the last one, and at ` +
      `most [${GAP_BUCKETS_MAX}] are finished at once: check that it is in milliseconds, or go there with skip_time`,
  );
}
