import { errors } from '@shoal/errors';
import { type BodyReader, bodyReader, isPlainObject, type JsonObject } from '@shoal/json';
import { parseTimeValue } from '@shoal/values';
import type { JobConfig } from '../jobs/job-config.js';
import { checkId } from '../jobs/job-id.js';
import { timeText } from '../jobs/time-text.js';

/** A datafeed: which documents of which indices a job gets. */
export interface DatafeedConfig {
  readonly id: string;
  readonly jobId: string;
  readonly indices: readonly string[];
  readonly query: JsonObject;
  readonly queryDelayMs: number;
  /** Null for the default, which depends on the bucket span. */
  readonly frequencyMs: number | null;
  readonly pageSize: number;
  /** Length of the windows that are searched, in milliseconds; null to choose it by the number of documents. */
  readonly chunkMs: number | null;
  readonly aggregations: JsonObject | null;
  readonly runtime: JsonObject | null;
  readonly scriptFields: JsonObject | null;
  readonly emptySearchesMax: number | null;
  /** Milliseconds of past buckets that are counted again for late documents; 0 for none, null for the default. */
  readonly checkWindowMs: number | null;
  /** The datafeed as `GET` shows it. */
  readonly json: JsonObject;
}

const KEYS = [
  ...['datafeed_id', 'job_id', 'indices', 'indexes', 'query', 'query_delay', 'frequency', 'scroll_size', 'aggs'],
  ...['chunking_config', 'aggregations', 'script_fields', 'runtime_mappings', 'delayed_data_check_config'],
  ...['indices_options', 'max_empty_searches', 'headers'],
];
const PAGE_DEFAULT = 1000;
const PAGE_MOST = 10_000;
/** Default of `query_delay`: between one and two minutes, the same for a job each time. */
const DELAY_LEAST_MS = 60_000;
const DELAY_SPREAD_MS = 60_000;

function timeIn(reader: BodyReader, key: string): number | null {
  const text = reader.optionalText(key);
  if (text === null) return null;
  const ms = parseTimeValue(text, key);
  if (ms < 0) throw errors.illegalArgument(`${key} cannot be less than 0. Value = ${text}`);
  return ms;
}

/** A number between 0 and 1 that depends on a text alone. */
function shareOf(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return (hash % 1000) / 1000;
}

/** The aggregations of a datafeed. A stored one may have empty ones: a new one is refused with 400, as in 8.12. */
function aggregationsIn(reader: BodyReader, isStored: boolean): JsonObject | null {
  for (const key of ['aggregations', 'aggs']) {
    const found = reader.optionalObject(key);
    if (found === null) continue;
    if (Object.keys(found).length > 0) return found;
    if (isStored) return null;
    const cause = errors.status('Datafeed aggregations are not parsable');
    throw errors.xContentParse(`[datafeed_config] failed to parse field [${key}]`, { cause });
  }
  return null;
}

/** Parses the body of a datafeed, or one that is stored. Throws 8.12's errors. */
export function parseDatafeed(id: string, body: unknown, isStored = false): DatafeedConfig {
  const reader = bodyReader('datafeed_config', body);
  reader.onlyKeys(KEYS);
  checkId('datafeed_id', id);
  const jobId = reader.optionalText('job_id');
  if (jobId === null || jobId === '') throw errors.illegalArgument('[job_id] must not be null');
  const given = body as JsonObject;
  const indices = reader.texts(given['indices'] === undefined ? 'indexes' : 'indices');
  if (indices.length === 0) throw errors.illegalArgument(`Invalid indices value '[]' for datafeed '${id}'`);
  const query = reader.optionalObject('query') ?? { match_all: { boost: 1 } };
  const delay = timeIn(reader, 'query_delay') ?? Math.round(DELAY_LEAST_MS + DELAY_SPREAD_MS * shareOf(jobId));
  const frequency = timeIn(reader, 'frequency');
  if (frequency !== null && frequency < 1000)
    throw errors.illegalArgument(`frequency cannot be less than 1s. Value = ${timeText(frequency)}`);
  const pageSize = reader.optionalNumber('scroll_size') ?? PAGE_DEFAULT;
  if (pageSize < 0 || !Number.isInteger(pageSize))
    throw errors.illegalArgument(`Invalid scroll_size value '${pageSize}' for datafeed '${id}'`);
  const aggregations = aggregationsIn(reader, isStored);
  const scriptFields = reader.optionalObject('script_fields');
  if (aggregations !== null && scriptFields !== null)
    throw errors.illegalArgument('script_fields cannot be used in combination with aggregations');
  const runtime = reader.optionalObject('runtime_mappings');
  const chunking = parseChunking(reader.optionalObject('chunking_config'));
  const empty = reader.optionalNumber('max_empty_searches');
  const check = parseCheck(reader.optionalObject('delayed_data_check_config'));
  const json: JsonObject = {
    ...{ datafeed_id: id, job_id: jobId, query_delay: timeText(delay) },
    ...(frequency === null ? {} : { frequency: timeText(frequency) }),
    ...{ indices, query },
    ...(aggregations === null ? {} : { aggregations }),
    ...(scriptFields === null ? {} : { script_fields: scriptFields }),
    ...{ scroll_size: pageSize, chunking_config: chunking.json, delayed_data_check_config: check.json },
    ...(empty === null || empty < 0 ? {} : { max_empty_searches: empty }),
    indices_options: reader.optionalObject('indices_options') ?? DEFAULT_OPTIONS,
    ...(runtime === null ? { runtime_mappings: {} } : { runtime_mappings: runtime }),
  };
  return {
    ...{ id, jobId, indices, query, queryDelayMs: delay, frequencyMs: frequency, chunkMs: chunking.ms },
    ...{ aggregations, runtime, scriptFields, json, pageSize: Math.max(1, Math.min(PAGE_MOST, pageSize)) },
    emptySearchesMax: empty !== null && empty > 0 ? empty : null,
    checkWindowMs: check.ms,
  };
}

const DEFAULT_OPTIONS: JsonObject = {
  ...{ expand_wildcards: ['open'], ignore_unavailable: false, allow_no_indices: true, ignore_throttled: true },
};

function parseCheck(body: JsonObject | null): { readonly ms: number | null; readonly json: JsonObject } {
  if (body === null) return { ms: null, json: { enabled: true } };
  const reader = bodyReader('delayed_data_check_config', body);
  reader.onlyKeys(['enabled', 'check_window']);
  const enabled = reader.optionalBoolean('enabled');
  if (enabled === null) throw errors.illegalArgument('Required [enabled]');
  const window = timeIn(reader, 'check_window');
  const json = { enabled, ...(window === null ? {} : { check_window: timeText(window) }) };
  return { ms: enabled ? window : 0, json };
}

function parseChunking(body: JsonObject | null): { readonly ms: number | null; readonly json: JsonObject } {
  if (body === null) return { ms: null, json: { mode: 'auto' } };
  const reader = bodyReader('chunking_config', body);
  reader.onlyKeys(['mode', 'time_span']);
  const mode = reader.text('mode');
  const span = timeIn(reader, 'time_span');
  if (!['auto', 'manual', 'off'].includes(mode))
    throw errors.illegalArgument(`No enum constant Mode.${mode.toUpperCase()}`);
  if (mode === 'manual' && !(span !== null && span > 0))
    throw errors.illegalArgument('when chunk mode is manual, time_span must be set to a positive value');
  if (mode !== 'manual' && span !== null)
    throw errors.illegalArgument('chunk time_span may only be set when mode is manual');
  const ms = mode === 'manual' ? span : mode === 'off' ? Number.POSITIVE_INFINITY : null;
  return { ms, json: { mode, ...(span === null ? {} : { time_span: timeText(span) }) } };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Milliseconds between two searches in real time, as in 8.12: by the bucket span unless it is set. */
export function frequencyOf({ frequencyMs }: DatafeedConfig, { spanS }: JobConfig): number {
  if (frequencyMs !== null) return frequencyMs;
  const spanMs = spanS * 1000;
  if (spanMs <= 2 * MINUTE_MS) return Math.max(1000, spanMs / 2);
  if (spanMs <= 20 * MINUTE_MS) return Math.min(MINUTE_MS * 2.5, spanMs / 2);
  return spanMs <= 12 * HOUR_MS ? 10 * MINUTE_MS : HOUR_MS;
}

/** Interval of a histogram of times in milliseconds; undefined for what is none, null if it has none. */
function intervalOf(body: JsonObject): number | null | undefined {
  const { date_histogram: dates, histogram: numbers } = body;
  if (isPlainObject(dates)) {
    const text = dates['fixed_interval'] ?? dates['calendar_interval'];
    if (text === 'day' || text === '1d') return 24 * HOUR_MS;
    if (text === 'hour') return HOUR_MS;
    if (text === 'minute') return MINUTE_MS;
    return typeof text === 'string' ? parseTimeValue(text, 'fixed_interval') : null;
  }
  if (!isPlainObject(numbers)) return undefined;
  return typeof numbers['interval'] === 'number' ? numbers['interval'] : null;
}

/** The sources of a composite aggregation, without their names. */
function sourcesOf(body: JsonObject): readonly unknown[] {
  const composite = body['composite'];
  const sources = isPlainObject(composite) ? composite['sources'] : null;
  if (Array.isArray(sources)) return sources.flatMap((source) => (isPlainObject(source) ? Object.values(source) : []));
  return isPlainObject(sources) ? Object.values(sources) : [];
}

/** Interval of the histogram of times in the aggregations of a datafeed, at whatever depth, in milliseconds. */
export function histogramInterval(aggregations: JsonObject): number | null {
  for (const body of Object.values(aggregations)) {
    if (!isPlainObject(body)) continue;
    for (const one of [body, ...sourcesOf(body)]) {
      const own = isPlainObject(one) ? intervalOf(one) : undefined;
      if (own !== undefined) return own;
    }
    const inner = body['aggregations'] ?? body['aggs'];
    const found = isPlainObject(inner) ? histogramInterval(inner) : null;
    if (found !== null) return found;
  }
  return null;
}
