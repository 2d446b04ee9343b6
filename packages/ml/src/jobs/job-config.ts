import { errors } from '@shoal/errors';
import { type BodyReader, bodyReader, type JsonObject } from '@shoal/json';
import type { CalendarEvent, JobSpec } from '@shoal/learning';
import { dateFormat, parseByteSize, parseTimeValue, VERSION } from '@shoal/values';
import { type AlertConfig, parseAlert } from '../alerts/alert-config.js';
import { type CategorizationConfig, categorizationSpec, parseCategorization } from './categorization-config.js';
import { type DetectorConfig, type FilterItems, parseDetector } from './detector-config.js';
import { checkId } from './job-id.js';
import { checkSettings } from './job-settings.js';
import { timeText } from './time-text.js';

/** `model_plot_config`: which series have their expected values written. */
export interface PlotConfig {
  readonly enabled: boolean;
  /** Whether changes of models become annotations. */
  readonly annotates: boolean;
  /** Values of by or partition fields whose series are plotted; null for all. */
  readonly terms: readonly string[] | null;
}

/** A job as its configuration says. */
export interface JobConfig {
  readonly id: string;
  readonly spanS: number;
  readonly detectors: readonly DetectorConfig[];
  readonly influencers: readonly string[];
  readonly timeField: string;
  readonly timeFormat: string;
  readonly summaryCount: string | null;
  /** Null for a job without categories of lines. */
  readonly categorization: CategorizationConfig | null;
  readonly examplesMax: number;
  readonly latencyS: number;
  readonly pruneBuckets: number;
  readonly memoryLimitBytes: number;
  readonly groups: readonly string[];
  readonly resultsIndexName: string;
  readonly plot: PlotConfig;
  readonly snapshotRetentionDays: number;
  readonly resultsRetentionDays: number | null;
  readonly allowLazyOpen: boolean;
  /** Null without alerts. */
  readonly alert: AlertConfig | null;
  /** Seconds before now of results whose scores are adjusted as later data comes. */
  readonly rescoreS: number;
  /** The job as `GET` shows it, with all defaults. */
  readonly json: JsonObject;
}

const SPAN_DEFAULT = '5m';
const SPAN_MOST_S = 10 * 365 * 86_400;
const DETECTORS_MAX = 100;
const INFLUENCERS_MAX = 50;
const MB = 1024 * 1024;
const DAY_S = 86_400;
const PRUNE_DAYS = 30;
const PRUNE_BUCKETS_LEAST = 20;
const EXAMPLES_MAX = 100;
const PLOT_TERMS_MAX = 1000;
const RESCORE_DAYS = 30;
const RESCORE_BUCKETS = 100;

const JOB_KEYS = [
  ...['analysis_config', 'analysis_limits', 'data_description', 'model_plot_config', 'groups', 'description'],
  ...['results_index_name', 'results_retention_days', 'model_snapshot_retention_days', 'custom_settings'],
  ...['daily_model_snapshot_retention_after_days', 'renormalization_window_days', 'background_persist_interval'],
  ...['allow_lazy_open', 'job_id', 'job_type', 'datafeed_config', 'alert'],
];
/** Members that a stored configuration has besides. */
const STORED_KEYS = ['job_version', 'create_time', 'finished_time', 'model_snapshot_id', 'deleting', 'blocked'];
const ANALYSIS_KEYS = [
  ...['bucket_span', 'detectors', 'influencers', 'categorization_field_name', 'categorization_filters', 'latency'],
  ...['categorization_analyzer', 'per_partition_categorization', 'model_prune_window', 'multivariate_by_fields'],
  'summary_count_field_name',
];

/** What parsing depends on besides the body. */
export interface ParseSite {
  readonly nowMs: number;
  /** Largest limit of a job's memory. */
  readonly memoryMostBytes: number;
  readonly items: FilterItems;
}

function spanOf(reader: BodyReader, key: string, fallback: string): number {
  const text = reader.optionalText(key) ?? fallback;
  const ms = parseTimeValue(text, key);
  if (ms % 1000 !== 0) throw errors.illegalArgument(`${key} [${text}] must be a multiple of seconds`);
  return ms / 1000;
}

/** Parses the body of a job; `stored` bodies may have what the server has added. Throws 8.12's errors. */
export function parseJob(id: string, body: unknown, site: ParseSite, stored = false): JobConfig {
  const reader = bodyReader('job_details', body);
  reader.onlyKeys(stored ? [...JOB_KEYS, ...STORED_KEYS, 'config_type'] : JOB_KEYS);
  const inner = reader.optionalText('job_id');
  if (inner !== null && inner !== id)
    throw errors.illegalArgument(
      `Inconsistent job_id; '${inner}' specified in the body differs from '${id}' specified as a URL argument`,
    );
  checkId('job_id', id);
  const analysis = reader.optionalObject('analysis_config');
  if (analysis === null) throw errors.illegalArgument('An analysis_config must be set');
  const parsed = parseAnalysis(analysis, site);
  const data = parseData(reader.optionalObject('data_description'));
  const limits = parseLimits(reader.optionalObject('analysis_limits'), site.memoryMostBytes);
  const groups = parseGroups(id, reader.texts('groups'));
  const retention = numberIn(reader, 'model_snapshot_retention_days', 0) ?? 10;
  const resultsRetention = numberIn(reader, 'results_retention_days', 0);
  const rescoreDays = numberIn(reader, 'renormalization_window_days', 0);
  const daily = numberIn(reader, 'daily_model_snapshot_retention_after_days', 0);
  const name = reader.optionalText('results_index_name') ?? 'shared';
  checkIndexName(name);
  const allowLazyOpen = reader.optionalBoolean('allow_lazy_open') ?? false;
  const plotted = reader.optionalObject('model_plot_config');
  const plot = parsePlot(plotted);
  if (!stored) checkSettings(reader, body as JsonObject);
  const alerted = reader.optionalObject('alert');
  const alert = alerted === null ? null : parseAlert(alerted, resultFields(parsed.config));
  const given = body as JsonObject;
  const optional = (key: string): JsonObject => (given[key] === undefined ? {} : { [key]: given[key] });
  const kept = Object.fromEntries(
    STORED_KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]),
  );
  const json: JsonObject = {
    ...{ job_id: id, job_type: 'anomaly_detector', job_version: VERSION, create_time: site.nowMs },
    ...(groups.length === 0 ? {} : { groups }),
    ...optional('description'),
    ...kept,
    analysis_config: parsed.json,
    analysis_limits: limits.json,
    data_description: { time_field: data.timeField, time_format: data.timeFormat },
    ...(plotted === null
      ? {}
      : { model_plot_config: { enabled: plot.enabled, ...plotted, annotations_enabled: plot.annotates } }),
    ...(rescoreDays === null ? {} : { renormalization_window_days: rescoreDays }),
    ...optional('background_persist_interval'),
    ...(alert === null ? {} : { alert: alert.json }),
    model_snapshot_retention_days: retention,
    daily_model_snapshot_retention_after_days: daily ?? Math.min(1, retention),
    ...optional('results_retention_days'),
    ...optional('custom_settings'),
    results_index_name: name === 'shared' || name.startsWith('custom-') ? name : `custom-${name}`,
    allow_lazy_open: allowLazyOpen,
  };
  return {
    id,
    ...parsed.config,
    ...data,
    ...{ memoryLimitBytes: limits.bytes, examplesMax: limits.examplesMax, groups },
    resultsIndexName: json['results_index_name'] as string,
    ...{ plot, snapshotRetentionDays: retention, resultsRetentionDays: resultsRetention },
    ...{ allowLazyOpen, alert, json },
    rescoreS:
      rescoreDays === null
        ? Math.max(RESCORE_DAYS * DAY_S, RESCORE_BUCKETS * parsed.config.spanS)
        : rescoreDays * DAY_S,
  };
}

type AnalysisPart = Pick<
  JobConfig,
  'spanS' | 'detectors' | 'influencers' | 'summaryCount' | 'categorization' | 'latencyS' | 'pruneBuckets'
>;

function parseAnalysis(body: JsonObject, site: ParseSite): { config: AnalysisPart; json: JsonObject } {
  const reader = bodyReader('analysis_config', body);
  reader.onlyKeys(ANALYSIS_KEYS);
  const spanS = spanOf(reader, 'bucket_span', SPAN_DEFAULT);
  if (!(spanS > 0)) throw errors.illegalArgument(`bucket_span cannot be less or equal than 0. Value = ${spanS}`);
  if (spanS > SPAN_MOST_S) throw errors.illegalArgument(`bucket_span cannot be more than 10 years. Value = ${spanS}s`);
  const given = reader.optionalList('detectors') ?? [];
  if (given.length === 0) throw errors.illegalArgument('No detectors configured');
  if (given.length > DETECTORS_MAX)
    throw errors.illegalArgument(`[detectors] has more than [${DETECTORS_MAX}] detectors`);
  const detectors = given.map((one, i) => parseDetector(one, i, site.items));
  const influencers = reader.texts('influencers');
  if (influencers.length > INFLUENCERS_MAX)
    throw errors.illegalArgument(`[influencers] has more than [${INFLUENCERS_MAX}] fields`);
  if (influencers.some((name) => name.trim() === ''))
    throw errors.illegalArgument('Influencer names cannot be empty strings');
  const { config: categorization, json: categorizationJson } = parseCategorization(reader, detectors);
  if (reader.optionalBoolean('multivariate_by_fields') === true)
    throw errors.illegalArgument(
      '[multivariate_by_fields] is not supported: correlations of by fields are not modelled',
    );
  const latencyS = spanOf(reader, 'latency', '0s');
  if (latencyS < 0) throw errors.illegalArgument(`latency cannot be less than 0. Value = ${latencyS}`);
  const window = reader.optionalText('model_prune_window');
  const windowS =
    window === null
      ? Math.max(PRUNE_DAYS * DAY_S, PRUNE_BUCKETS_LEAST * spanS)
      : spanOf(reader, 'model_prune_window', '30d');
  if (window !== null && windowS < 2 * spanS)
    throw errors.illegalArgument(`model_prune_window [${window}] must be at least 2 times greater than bucket_span`);
  const summaryCount = reader.optionalText('summary_count_field_name');
  const json: JsonObject = {
    bucket_span: timeText(spanS * 1000),
    ...categorizationJson,
    ...(summaryCount === null ? {} : { summary_count_field_name: summaryCount }),
    ...(latencyS === 0 ? {} : { latency: timeText(latencyS * 1000) }),
    detectors: detectors.map((one) => one.json),
    influencers,
    model_prune_window: timeText(windowS * 1000),
  };
  const pruneBuckets = Math.ceil(windowS / spanS);
  return { config: { spanS, detectors, influencers, summaryCount, categorization, latencyS, pruneBuckets }, json };
}

function parseData(body: JsonObject | null): Pick<JobConfig, 'timeField' | 'timeFormat'> {
  if (body === null) throw errors.illegalArgument('A data_description must be set');
  const reader = bodyReader('data_description', body);
  reader.onlyKeys(['time_field', 'time_format', 'format', 'field_delimiter', 'quote_character']);
  const timeFormat = reader.optionalText('time_format') ?? 'epoch_ms';
  if (timeFormat !== 'epoch' && timeFormat !== 'epoch_ms') {
    try {
      dateFormat(timeFormat);
    } catch {
      throw errors.illegalArgument(`Invalid Time format string '${timeFormat}'`);
    }
  }
  return { timeField: reader.optionalText('time_field') ?? 'time', timeFormat };
}

function parseLimits(
  body: JsonObject | null,
  mostBytes: number,
): { readonly bytes: number; readonly examplesMax: number; readonly json: JsonObject } {
  const fallback = Math.max(1, Math.min(1024, Math.floor(mostBytes / MB)));
  const reader = bodyReader('analysis_limits', body ?? {});
  reader.onlyKeys(['model_memory_limit', 'categorization_examples_limit']);
  const given = (body ?? {})['model_memory_limit'];
  const mb =
    given === undefined || given === null
      ? fallback
      : typeof given === 'number'
        ? given
        : Math.floor(parseByteSize(String(given), 'model_memory_limit') / MB);
  if (mb < 1) throw errors.illegalArgument(`model_memory_limit must be at least 1 MiB. Value = ${mb}`);
  const examplesMax = numberIn(reader, 'categorization_examples_limit', 0) ?? 4;
  if (examplesMax > EXAMPLES_MAX)
    throw errors.illegalArgument(
      `categorization_examples_limit cannot be more than ${EXAMPLES_MAX}. Value = ${examplesMax}`,
    );
  const json = { model_memory_limit: `${mb}mb`, categorization_examples_limit: examplesMax };
  return { bytes: mb * MB, examplesMax, json };
}

function numberIn(reader: BodyReader, key: string, least: number): number | null {
  const value = reader.optionalNumber(key);
  if (value !== null && value < least)
    throw errors.illegalArgument(`${key} cannot be less than ${least}. Value = ${value}`);
  return value;
}

/** Fields by whose values results can be told apart. */
function resultFields({ detectors, influencers }: AnalysisPart): string[] {
  const splits = detectors.flatMap(({ spec }) => [spec.partition, spec.by, spec.over]);
  return [...splits.filter((name) => name !== null), ...influencers];
}

function parsePlot(body: JsonObject | null): PlotConfig {
  if (body === null) return { enabled: false, annotates: false, terms: null };
  const reader = bodyReader('model_plot_config', body);
  reader.onlyKeys(['enabled', 'terms', 'annotations_enabled']);
  const enabled = reader.optionalBoolean('enabled') ?? true;
  const terms = reader.optionalText('terms');
  const named = (terms ?? '').split(',').filter((term) => term !== '');
  if (named.length > PLOT_TERMS_MAX)
    throw errors.illegalArgument(`[model_plot_config.terms] has more than [${PLOT_TERMS_MAX}] terms`);
  const annotates = reader.optionalBoolean('annotations_enabled') ?? enabled;
  return { enabled, annotates, terms: named.length === 0 ? null : named };
}

function parseGroups(id: string, groups: readonly string[]): readonly string[] {
  for (const group of groups) {
    checkId('group', group);
    if (group === id) throw errors.illegalArgument(`job and group names must be unique but [${group}] is both`);
  }
  return groups;
}

function checkIndexName(name: string): void {
  if (/^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/.test(name) && name.length < 200) return;
  throw errors.illegalArgument(
    `Invalid results_index_name; '${name}' can contain lowercase alphanumeric (a-z and 0-9), hyphens or underscores; ` +
      'must start and end with alphanumeric',
  );
}

/** Returns what the mathematics of a job needs. */
export function specOf(config: JobConfig, calendar: readonly CalendarEvent[]): JobSpec {
  const { categorization, examplesMax, spanS, influencers, summaryCount, pruneBuckets, plot } = config;
  return {
    ...{ spanS, influencers, summaryCount, pruneBuckets, calendar },
    detectors: config.detectors.map(({ spec }) => spec),
    categorization: categorization === null ? null : categorizationSpec(categorization, examplesMax),
    memoryLimitBytes: config.memoryLimitBytes,
    latencyS: config.latencyS,
    ...(plot.enabled ? { plot: { terms: plot.terms === null ? null : new Set(plot.terms) } } : {}),
  };
}

/** Fields of documents that a job reads, besides that of the time. */
export function fieldsOf({ detectors, influencers, summaryCount, categorization }: JobConfig): readonly string[] {
  const own = detectors.flatMap(({ spec }) => [spec.field, spec.by, spec.over, spec.partition]);
  const all = [...own, ...influencers, summaryCount, categorization?.field ?? null].filter((name) => name !== null);
  return [...new Set(all)];
}
