import type { JsonObject } from '@shoal/json';
import { FEED_FAILS, FEED_STARTS } from '../datafeeds/feed-failure.js';
import { NOTIFICATIONS_INDEX, readAlias } from '../documents/ml-indices.js';
import type { MlDoors } from '../ml-doors.js';
import type { ShownField } from './field-stats.js';

/** One reason why a job has no results, or these: a sentence and what to do. */
export interface JobCause {
  readonly why: string;
  readonly next: string;
}

/** What is known of a job. */
export interface JobFacts {
  readonly id: string;
  readonly spanS: number;
  readonly state: string;
  readonly stats: JsonObject;
  /** Null while the job is not open. */
  readonly summary: JsonObject | null;
  /** Statistics of its datafeed; null for none. */
  readonly datafeed: JsonObject | null;
  /** What its datafeed failed for since it was started last; null if it did not. */
  readonly feedFailure: string | null;
  readonly nowMs: number;
}

/** Buckets before series are judged. */
const BUCKETS_LEAST = 16;
const RECORDS_SHOWN = 5;
/** Messages about a job among which the last about its datafeed is looked for. */
const MESSAGES_READ = 50;
/** Times before it, in milliseconds since 1970, look like seconds that were read as milliseconds: March 1973. */
const SECONDS_LOOK = 1e11;
const SHARE_MUCH = 0.05;
/** Documents that are so much newer than the clock have a wrong time. */
const AHEAD_MS = 86_400_000;

/** A time in milliseconds as a date; as a number where there is no such date. */
const dateText = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms));

/** Causes, the first to mend first. */
export function jobCauses(facts: JobFacts): JobCause[] {
  const counts = (facts.stats['data_counts'] ?? {}) as Record<string, number | undefined>;
  return [
    ...stateCauses(facts),
    ...dataCauses(facts, counts),
    ...fieldCauses(facts.summary),
    ...modelCauses(facts, counts),
    ...skipCauses(facts.summary),
  ];
}

function stateCauses({ id, state, stats, datafeed, feedFailure }: JobFacts): JobCause[] {
  const job = `/_ml/anomaly_detectors/${id}`;
  const explanation = String(stats['assignment_explanation'] ?? '');
  if (state === 'failed')
    return [
      { why: `the job has failed: ${explanation}`, next: `POST ${job}/_close?force=true, then POST ${job}/_open` },
    ];
  if (state === 'closed') return [{ why: 'the job is closed and takes no data', next: `POST ${job}/_open` }];
  if (state === 'opening')
    return [{ why: `the job waits for a node: ${explanation}`, next: 'GET /_cat/nodes?h=name,node.role' }];
  if (stats['node'] === undefined && explanation !== '')
    return [{ why: explanation, next: 'POST /_ml/set_upgrade_mode?enabled=false' }];
  if (datafeed === null) return [];
  const feed = `/_ml/datafeeds/${String(datafeed['datafeed_id'])}`;
  const failure = String(datafeed['assignment_explanation'] ?? '');
  if (datafeed['state'] === 'stopped')
    return feedFailure === null
      ? [{ why: 'its datafeed is stopped', next: `POST ${feed}/_start` }]
      : [{ why: `its datafeed has stopped: ${feedFailure}`, next: `GET ${feed}/_preview, then POST ${feed}/_start` }];
  return failure === '' ? [] : [{ why: `its datafeed cannot read: ${failure}`, next: `GET ${feed}/_preview` }];
}

function dataCauses({ id, datafeed, spanS, nowMs }: JobFacts, counts: Record<string, number | undefined>): JobCause[] {
  const of = (key: string): number => counts[key] ?? 0;
  const input = of('input_record_count');
  if (input === 0)
    return [
      datafeed === null
        ? { why: 'the job has been given no documents', next: `POST /_ml/anomaly_detectors/${id}/_data` }
        : {
            why: 'its datafeed has found no documents',
            next: `GET /_ml/datafeeds/${String(datafeed['datafeed_id'])}/_preview: check indices, query and time field`,
          },
    ];
  const causes: JobCause[] = [];
  const [invalid, late] = [of('invalid_date_count'), of('out_of_order_timestamp_count')];
  if (invalid > SHARE_MUCH * input)
    causes.push({
      why: `${invalid} of ${input} documents have no time that the job can read`,
      next: 'check data_description: time_field and time_format',
    });
  const latest = counts['latest_record_timestamp'];
  if (latest !== undefined && latest < SECONDS_LOOK)
    causes.push({
      why: `the newest document is of ${dateText(latest)}: its time looks like seconds read as milliseconds`,
      next: 'use data_description.time_format [epoch] for seconds',
    });
  if (late > SHARE_MUCH * input)
    causes.push(
      latest !== undefined && latest > nowMs + AHEAD_MS
        ? {
            why: `${late} of ${input} documents came after one of ${dateText(latest)}, a time that is yet to come`,
            next: `go back to a snapshot before it, or POST /_ml/anomaly_detectors/${id}/_reset once it is closed`,
          }
        : {
            why: `${late} of ${input} documents came after their bucket was judged`,
            next: `give documents in order of time, or set latency (the span is ${spanS}s) or query_delay`,
          },
    );
  const [buckets, empty] = [of('bucket_count'), of('empty_bucket_count')];
  if (buckets > BUCKETS_LEAST && empty > buckets / 2)
    causes.push({ why: `${empty} of ${buckets} buckets were empty`, next: 'use a longer bucket_span' });
  return causes;
}

function fieldCauses(summary: JsonObject | null): JobCause[] {
  const fields = (summary?.['fields'] ?? []) as readonly ShownField[];
  return fields.flatMap(({ field, present, missing, is_constant: isConstant, first_value: first }): JobCause[] => {
    if (present === 0 && missing > 0)
      return [
        {
          why: `no document has the field [${field}]`,
          next: 'check its name; of nested or text fields nothing is read',
        },
      ];
    if (present > 100 && isConstant)
      return [
        {
          why: `the field [${field}] always had the value [${first}]`,
          next: 'nothing can be unusual about it: use another field',
        },
      ];
    return [];
  });
}

function modelCauses({ spanS, stats }: JobFacts, counts: Record<string, number | undefined>): JobCause[] {
  const buckets = counts['bucket_count'] ?? 0;
  const size = (stats['model_size_stats'] ?? {}) as JsonObject;
  const causes: JobCause[] = [];
  if ((counts['input_record_count'] ?? 0) > 0 && buckets < BUCKETS_LEAST)
    causes.push({
      why: `${buckets} buckets were seen; series are judged from the ${BUCKETS_LEAST}th on`,
      next: `${BUCKETS_LEAST - buckets} more buckets of ${spanS}s are needed`,
    });
  const failures = Number(size['bucket_allocation_failures_count'] ?? 0);
  if (failures > 0)
    causes.push({
      why: `${failures} documents were not modelled: the model is at its limit (${String(size['memory_status'])})`,
      next: 'raise analysis_limits.model_memory_limit by _update, or split by fewer values',
    });
  return causes;
}

function skipCauses(summary: JsonObject | null): JobCause[] {
  const skipped = (summary?.['skipped'] ?? {}) as { results?: number; buckets?: number };
  const causes: JobCause[] = [];
  if ((skipped.results ?? 0) > 0)
    causes.push({
      why: `custom_rules kept ${skipped.results} values from being results`,
      next: 'look at custom_rules and their filters',
    });
  if ((skipped.buckets ?? 0) > 0)
    causes.push({
      why: `${skipped.buckets} buckets lay within events of calendars and were not judged`,
      next: 'GET /_ml/calendars',
    });
  return causes;
}

/** What the datafeed of a job failed for since it was started last, as its messages say; null if it did not. */
export async function feedFailureOf({ documents }: Pick<MlDoors, 'documents'>, id: string): Promise<string | null> {
  const { hits } = await documents.search(NOTIFICATIONS_INDEX, {
    size: MESSAGES_READ,
    query: { bool: { filter: [{ term: { job_id: id } }] } },
    sort: [{ timestamp: { order: 'desc', unmapped_type: 'date' } }],
  });
  const messages = hits.map(({ source }) => String(source['message']));
  const last = messages.find((text) => text.startsWith(FEED_FAILS) || text.startsWith(FEED_STARTS));
  return last?.startsWith(FEED_FAILS) ? last.slice(FEED_FAILS.length + 2) : null;
}

/** Records of a job, the most surprising first; of one bucket if `timeMs` is given. */
export async function surprisingRecords(
  { documents }: Pick<MlDoors, 'documents'>,
  { id, spanS }: Pick<JobFacts, 'id' | 'spanS'>,
  timeMs: number | null,
): Promise<readonly JsonObject[]> {
  const bucketMs = timeMs === null ? null : Math.floor(timeMs / 1000 / spanS) * spanS * 1000;
  const filter: JsonObject[] = [{ term: { result_type: 'record' } }];
  if (bucketMs !== null) filter.push({ term: { timestamp: bucketMs } });
  await documents.refresh(readAlias(id));
  const sort = [{ initial_record_score: { order: 'desc', unmapped_type: 'double' } }, { timestamp: 'desc' }];
  const { hits } = await documents.search(readAlias(id), { size: RECORDS_SHOWN, query: { bool: { filter } }, sort });
  return hits.map(({ source }) => ({
    ...{ timestamp: source['timestamp'], record_score: source['record_score'] },
    ...{
      initial_record_score: source['initial_record_score'],
      why: (source['shoal'] as JsonObject | undefined)?.['why'],
    },
  }));
}

/** Says what a bucket was like: judged or not, and why without results. `hasRecords`: whether it has any. */
export async function bucketCauses(
  { documents }: Pick<MlDoors, 'documents'>,
  { id, spanS, stats }: JobFacts,
  timeMs: number,
  hasRecords: boolean,
): Promise<JobCause[]> {
  const bucketMs = Math.floor(timeMs / 1000 / spanS) * spanS * 1000;
  const at = dateText(bucketMs);
  const filter = [{ term: { result_type: 'bucket' } }, { term: { timestamp: bucketMs } }];
  const { hits } = await documents.search(readAlias(id), { size: 1, query: { bool: { filter } } });
  const bucket = hits[0]?.source;
  const latest = (stats['data_counts'] as JsonObject | undefined)?.['latest_record_timestamp'];
  const openMs = Math.floor(Number(latest ?? Number.NaN) / 1000 / spanS) * spanS * 1000;
  if (bucket === undefined)
    return [
      bucketMs >= openMs
        ? {
            why: `the bucket of ${at} is not finished yet`,
            next: `POST /_ml/anomaly_detectors/${id}/_flush?calc_interim=true`,
          }
        : {
            why: `the job has no bucket of ${at}: it lies before its data, or its results were deleted`,
            next: `GET /_ml/anomaly_detectors/${id}/_stats`,
          },
    ];
  if (bucket['scheduled_events'] !== undefined)
    return [
      { why: `the bucket of ${at} lay within ${String(bucket['scheduled_events'])}`, next: 'GET /_ml/calendars' },
    ];
  if (Number(bucket['event_count']) === 0)
    return [{ why: `the bucket of ${at} has no documents`, next: 'check query and time field' }];
  // Beside many series that had a value the bucket of a small record is worth nothing.
  return hasRecords
    ? []
    : [{ why: `in the bucket of ${at} no series showed more than one bucket in thirty does`, next: 'nothing to do' }];
}
