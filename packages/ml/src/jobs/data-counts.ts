import type { JsonObject } from '@shoal/json';

/** Counters of what a job was given; times in seconds, null for none. */
export interface DataCounts {
  processedRecords: number;
  processedFields: number;
  inputBytes: number;
  inputFields: number;
  inputRecords: number;
  invalidDates: number;
  missingFields: number;
  outOfOrder: number;
  buckets: number;
  emptyBuckets: number;
  earliestS: number | null;
  latestS: number | null;
  latestEmptyBucketS: number | null;
  lastFinishedBucketS: number | null;
  lastDataMs: number | null;
}

export const freshCounts = (): DataCounts => ({
  ...{ processedRecords: 0, processedFields: 0, inputBytes: 0, inputFields: 0, inputRecords: 0, invalidDates: 0 },
  ...{ missingFields: 0, outOfOrder: 0, buckets: 0, emptyBuckets: 0, earliestS: null, latestS: null },
  ...{ latestEmptyBucketS: null, lastFinishedBucketS: null, lastDataMs: null },
});

/** Counts a document that was used. */
export function noteDocument(counts: DataCounts, seconds: number, fields: number): void {
  noteDocuments(counts, { count: 1, fields, firstS: seconds, lastS: seconds });
}

/** Counts documents that were used; `fields` is the sum of theirs, times are in seconds. */
export function noteDocuments(
  counts: DataCounts,
  { count, fields, firstS, lastS }: { count: number; fields: number; firstS: number; lastS: number },
): void {
  counts.processedRecords += count;
  counts.processedFields += fields;
  if (counts.earliestS === null || firstS < counts.earliestS) counts.earliestS = firstS;
  if (counts.latestS === null || lastS > counts.latestS) counts.latestS = lastS;
}

/** Renders counters as 8.12 does; those since `before` if it is not null. */
export function toCountsJson(jobId: string, counts: DataCounts, before: DataCounts | null): JsonObject {
  const since = (key: keyof DataCounts): number => Number(counts[key]) - Number(before?.[key] ?? 0);
  const time = (key: string, seconds: number | null): JsonObject =>
    seconds === null ? {} : { [key]: Math.round(seconds * 1000) };
  return {
    job_id: jobId,
    processed_record_count: since('processedRecords'),
    processed_field_count: since('processedFields'),
    input_bytes: since('inputBytes'),
    input_field_count: since('inputFields'),
    invalid_date_count: since('invalidDates'),
    missing_field_count: since('missingFields'),
    out_of_order_timestamp_count: since('outOfOrder'),
    empty_bucket_count: since('emptyBuckets'),
    sparse_bucket_count: 0,
    bucket_count: since('buckets'),
    ...time('earliest_record_timestamp', counts.earliestS),
    ...time('latest_record_timestamp', counts.latestS),
    ...(counts.lastDataMs === null ? {} : { last_data_time: counts.lastDataMs }),
    ...time('latest_empty_bucket_timestamp', counts.latestEmptyBucketS),
    input_record_count: since('inputRecords'),
    log_time: counts.lastDataMs ?? 0,
  };
}

/** Counts of a step that was given nothing. */
export const EMPTY_STEP: JsonObject = {
  ...{ processed_record_count: 0, processed_field_count: 0, input_bytes: 0, input_field_count: 0 },
  ...{ invalid_date_count: 0, missing_field_count: 0, out_of_order_timestamp_count: 0, empty_bucket_count: 0 },
  ...{ sparse_bucket_count: 0, bucket_count: 0, input_record_count: 0 },
};

/** Adds the counts of a piece: numbers of things are summed, times are those of the job. */
export function addedCounts(total: JsonObject, step: JsonObject): JsonObject {
  const sum = { ...total };
  for (const [key, value] of Object.entries(step)) {
    if (typeof value !== 'number') continue;
    sum[key] = Object.hasOwn(EMPTY_STEP, key) ? Number(total[key] ?? 0) + value : value;
  }
  return sum;
}
