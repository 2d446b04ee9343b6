import type { NumberColumn } from '@shoal/segments';

/** Nanoseconds of a millisecond. */
export const NANOS_PER_MILLI = 1_000_000n;
/** The greatest number of nanoseconds: 2262-04-11T23:47:16.854775807Z. */
export const NANOS_MAX = 2n ** 63n - 1n;

/**
 * Nanoseconds of a document's dates, ascending. `millis` is the field's column, null if it has none; `exact` the one
 * that the field names as `nanosField`: null in segments, and empty for documents, that were written before it was
 * there.
 */
export function nanosOf(millis: NumberColumn | null, exact: NumberColumn | null, doc: number): readonly bigint[] {
  const nanos = exact === null ? [] : exact.bigs(doc);
  return nanos.length > 0 || millis === null ? nanos : millis.bigs(doc).map((ms) => ms * NANOS_PER_MILLI);
}
