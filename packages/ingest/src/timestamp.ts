import { dateFormat, UTC } from '@shoal/values';

const format = dateFormat('strict_date_optional_time');

/** Returns the value of `_ingest.timestamp`: a time in UTC as Java's `ZonedDateTime` prints it. */
export function ingestTimestamp(nowMs: number): string {
  return format.print(nowMs, UTC);
}

/** Makes the function that prints the present time, once for all documents of a millisecond. */
export function ingestTimestamps(now: () => number): () => string {
  let printedMs = Number.NaN;
  let text = '';
  return () => {
    const nowMs = now();
    if (nowMs !== printedMs) {
      printedMs = nowMs;
      text = ingestTimestamp(nowMs);
    }
    return text;
  };
}
