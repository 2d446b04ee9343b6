import { ByteReader, decodeValue, encodeValue, type Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import {
  type BucketResult,
  type CalendarEvent,
  CATEGORY_FIELD,
  JobModel,
  readsState,
  type SplitValues,
} from '@shoal/learning';
import { AlertGate } from '../alerts/alert-gate.js';
import { createAnalysisActions } from '../analytics/analysis-room.js';
import { changeAnnotations, statusAnnotations } from '../results/annotation-lines.js';
import { packState, readPacked, unpackState } from '../checkpoint/packed-state.js';
import { categorizerStats, categoryDocument } from '../results/category-lines.js';
import { bucketDocuments, bulkLines, type ResultDocument } from '../results/result-lines.js';
import { addColumns, type ColumnsBody } from './column-input.js';
import { type DataCounts, freshCounts, noteDocument, toCountsJson } from './data-counts.js';
import { fieldValue, type TimeReader, timeReader } from './input-reader.js';
import { fieldsOf, type JobConfig, parseJob, specOf } from './job-config.js';
import type { ScoreMoves } from '../results/rescore.js';
import { type FieldSeen, FieldStats } from '../why/field-stats.js';
import { modelSummary } from '../why/model-summary.js';
import { Tally } from '../why/tally.js';
import { forecastDocuments, type ForecastRequest } from '../results/forecast.js';
import { GivenStates } from './given-states.js';
import { modelSizeStats } from './model-size.js';
import { finishBefore, inParts, StepPart } from './step-part.js';

/** Runs the mathematics of jobs, on whatever thread. Bodies and answers are JSON and bytes. */
export interface ModelRoom {
  call(action: string, body: Value): Promise<Value>;
}

/** Body of `open`. */
export interface OpenBody {
  readonly id: string;
  readonly config: JsonObject;
  /** Items of the filters that rules name. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly calendar: readonly CalendarEvent[];
  /** Number of the pieces of its state, which `state` has been given before; 0 for a job that begins anew. */
  readonly pieces: number;
  readonly nowMs: number;
  /** Bytes that models of this node may have: no job has more, whatever its limit. */
  readonly mostBytes: number;
  /** Whether results are counted instead of written. */
  readonly isPreview?: boolean;
}

/** Body of `feedback`: events as surprising are counted `times` more, or less. */
export interface FeedbackBody {
  readonly detector: number;
  readonly splits: SplitValues;
  readonly surprise: number;
  readonly times: number;
}

/** Answer of `data`, `columns`, `advance`, `more` and `interim`. */
export interface StepAnswer {
  /** Results as lines of `_bulk`. */
  readonly lines: Uint8Array;
  /** Annotations, as lines of `_bulk` too. */
  readonly annotations: Uint8Array;
  readonly alerts: readonly ResultDocument[];
  /** Scores of earlier results that are others now. */
  readonly moves: readonly ScoreMoves[];
  readonly counts: JsonObject;
  readonly modelSize: JsonObject;
  readonly timing: JsonObject;
  /** End of the last bucket that is finished, in milliseconds; null for none. */
  readonly finalizedEndMs: number | null;
  /** Counts of this step alone, as far as it is done. */
  readonly step: JsonObject;
  /** Whether the step goes on: `more` does its next part. */
  readonly isPart: boolean;
}

interface OpenJob {
  readonly config: JobConfig;
  readonly model: JobModel;
  readonly fields: readonly string[];
  readonly time: TimeReader;
  readonly counts: DataCounts;
  /** Null without alerts. */
  readonly gate: AlertGate | null;
  readonly fieldStats: FieldStats;
  /** Counts results instead of writing them; null for a job that is one. */
  readonly tally: Tally | null;
  readonly timing: { buckets: number; totalMs: number; leastMs: number; mostMs: number; averageMs: number };
  readonly part: StepPart;
  /** What is left of the step that was begun, with the counts before it; null for none. */
  rest: { readonly work: Generator<void>; readonly before: DataCounts } | null;
  /** Pieces of the state that was packed last; those that were taken are empty. */
  packed: Uint8Array[];
}

/** Between two buckets the weight of the newest in the average of their times. */
const TIMING_RATE = 0.05;

/** The jobs whose models are on this thread. `monotonic` measures how long buckets take, in milliseconds. */
export function createJobRoom(monotonic: () => number): ModelRoom {
  const jobs = new Map<string, OpenJob>();
  const given = new GivenStates();
  const jobOf = (id: unknown): OpenJob => {
    const job = jobs.get(String(id));
    // The thread that had it has ended: its job is opened again.
    if (job === undefined)
      throw errors.illegalState(`the model of job [${String(id)}] is not open here`, { status: 503 });
    return job;
  };
  const actions: Readonly<Record<string, (body: JsonObject) => Value>> = {
    ...createAnalysisActions(monotonic),
    state: (body) => {
      given.add(String(body['id']), Number(body['piece']), body['bytes'] as Uint8Array);
      return null;
    },
    open: (body) => {
      const opened = body as unknown as OpenBody;
      jobs.set(opened.id, openJob(opened, given.take(opened), monotonic));
      return null;
    },
    data: (body) => beginStep(jobOf(body['id']), (job) => addData(job, body)),
    columns: (body) => beginStep(jobOf(body['id']), (job) => addColumns(job, body as unknown as ColumnsBody, job.part)),
    advance: (body) => beginStep(jobOf(body['id']), (job) => advance(job, body)),
    more: (body) => goOn(jobOf(body['id'])),
    interim: (body) => interim(jobOf(body['id']), body),
    pack: (body) => {
      const job = jobOf(body['id']);
      job.packed = packJob(job);
      return job.packed.length;
    },
    piece: (body) => takePiece(jobOf(body['id']), Number(body['piece'])),
    stats: (body) => answerOf(jobOf(body['id']), NO_LINES, null),
    calendar: (body) => {
      jobOf(body['id']).model.calendar = body['calendar'] as unknown as readonly CalendarEvent[];
      return null;
    },
    forecast: (body) => {
      const job = jobOf(body['id']);
      const request = body['request'] as unknown as ForecastRequest;
      const { documents, ...rest } = forecastDocuments(job.config, job.model, request);
      return { lines: Buffer.from(bulkLines(documents)), ...rest };
    },
    feedback: (body) => {
      const { detector, splits, surprise, times } = body as unknown as FeedbackBody;
      return jobOf(body['id']).model.detectors[detector]?.countEvents(splits, surprise, times) ?? false;
    },
    summary: (body) => {
      const { model, tally, fieldStats } = jobOf(body['id']);
      const fields = fieldStats.shown();
      return { ...tally?.toJson(), ...modelSummary(model), fields, skipped: { ...model.skipped } } as unknown as Value;
    },
    close: (body) => {
      jobs.delete(String(body['id']));
      given.drop(String(body['id']));
      return null;
    },
  };
  return {
    async call(action, body) {
      const known = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (known === undefined) throw errors.illegalArgument(`unknown action [${action}]`);
      return known(body as JsonObject);
    },
  };
}

/** Asks for a step of a job, part by part: after each part it is the turn of other jobs. */
export async function* stepOf(room: ModelRoom, action: string, body: Value): AsyncGenerator<StepAnswer> {
  const { id } = body as { readonly id: string };
  let answer = (await room.call(action, body)) as unknown as StepAnswer;
  for (; answer.isPart; answer = (await room.call('more', { id })) as unknown as StepAnswer) yield answer;
  yield answer;
}

function beginStep(job: OpenJob, work: (job: OpenJob) => Generator<void>): Value {
  job.rest = { before: { ...job.counts }, work: work(job) };
  return goOn(job);
}

/** Does the next part of the step that was begun. */
function goOn(job: OpenJob): Value {
  const { rest, part } = job;
  if (rest === null) throw errors.illegalState(`job [${job.config.id}] has begun no step`);
  part.begin();
  if (rest.work.next().done === true) job.rest = null;
  return answerOf(job, resultLines(job, part.tookMs), rest.before);
}

function openJob(
  { id, config: json, filters, calendar, nowMs, mostBytes, isPreview }: OpenBody,
  state: readonly Uint8Array[],
  monotonic: () => number,
): OpenJob {
  const items = (name: string): ReadonlySet<string> => new Set(filters[name] ?? []);
  const config = parseJob(id, json, { nowMs, memoryMostBytes: Number.MAX_SAFE_INTEGER, items }, true);
  const spec = specOf(config, calendar);
  const model = new JobModel({ ...spec, memoryLimitBytes: Math.min(spec.memoryLimitBytes, mostBytes) });
  const job: OpenJob = {
    config,
    model,
    fields: fieldsOf(config),
    time: timeReader(config, nowMs),
    counts: freshCounts(),
    gate: config.alert === null ? null : new AlertGate(config, config.alert),
    fieldStats: new FieldStats(),
    tally: isPreview === true ? new Tally(config) : null,
    timing: { buckets: 0, totalMs: 0, leastMs: 0, mostMs: 0, averageMs: 0 },
    part: new StepPart(monotonic),
    rest: null,
    packed: [],
  };
  if (state.length > 0) {
    const kept = keptState(state);
    model.decode(kept.model);
    Object.assign(job.counts, JSON.parse(kept.counts));
    Object.assign(job.timing, JSON.parse(kept.timing));
    if (kept.fields !== undefined) job.fieldStats.restore(JSON.parse(kept.fields) as [string, FieldSeen][]);
    if (kept.alerts !== undefined) job.gate?.restore(JSON.parse(kept.alerts) as [string, number][]);
  }
  return job;
}

/** A job as it is kept: JSON besides the model. */
interface KeptState {
  readonly model: ByteReader;
  readonly counts: string;
  readonly timing: string;
  readonly alerts?: string;
  readonly fields?: string;
}

/** Whether a state of a job, in the pieces that it is kept in, has a format that this version reads. */
export function isReadableState(state: readonly Uint8Array[]): boolean {
  try {
    return readsState(keptState(state).model);
  } catch {
    return false;
  }
}

/** First byte of a state whose model comes behind the rest; those of earlier versions are one value. */
const MODEL_LAST = 0xff;

function keptState(state: readonly Uint8Array[]): KeptState {
  const from = readPacked(state);
  if (from.u8() === MODEL_LAST)
    return { ...(decodeValue(from.bytes()) as unknown as Omit<KeptState, 'model'>), model: from };
  const whole = decodeValue(unpackState(state)) as unknown as { readonly model: Uint8Array } & Omit<KeptState, 'model'>;
  return { ...whole, model: new ByteReader(whole.model) };
}

function packJob({ model, counts, timing, gate, fieldStats }: OpenJob): Uint8Array[] {
  const alerts = gate === null ? {} : { alerts: JSON.stringify(gate.toJson()) };
  const rest = { counts: JSON.stringify(counts), timing: JSON.stringify(timing), ...alerts };
  return packState((out) => {
    out.u8(MODEL_LAST);
    out.bytes(encodeValue({ ...rest, fields: JSON.stringify(fieldStats.toJson()) }));
    model.encodeTo(out);
  });
}

/** Returns a piece of the packed state and frees it. */
function takePiece(job: OpenJob, piece: number): Uint8Array {
  const bytes = job.packed[piece];
  if (bytes === undefined) throw errors.illegalState(`the state of job [${job.config.id}] has no piece [${piece}]`);
  job.packed[piece] = new Uint8Array();
  return bytes;
}

/** Datafeeds give times in milliseconds, whatever the format of the job. */
const FEED_TIME = timeReader({ timeFormat: 'epoch_ms' }, 0);

/** Adds documents, lines of JSON or an array of them, a part in each step. */
function* addData(job: OpenJob, { documents, isFed }: JsonObject): Generator<void> {
  const bytes = documents as Uint8Array;
  const time = isFed === true ? FEED_TIME : job.time;
  job.counts.inputBytes += bytes.length;
  for (const document of documentsOf(bytes)) {
    const seconds = document === null ? Number.NaN : time(fieldValue(document, job.config.timeField));
    yield* finishBefore(job.model, seconds, job.part);
    addDocument(job, document, seconds);
  }
}

function* documentsOf(bytes: Uint8Array): Generator<Readonly<Record<string, unknown>> | null> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  while (from < buffer.length) {
    const end = buffer.indexOf(10, from);
    const to = end < 0 ? buffer.length : end;
    const line = buffer.toString('utf8', from, to).trim();
    from = to + 1;
    if (line !== '') yield* parsedLine(line);
  }
}

function* parsedLine(line: string): Generator<Readonly<Record<string, unknown>> | null> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    yield null;
    return;
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const one of list)
    yield typeof one === 'object' && one !== null ? (one as Readonly<Record<string, unknown>>) : null;
}

function addDocument(
  { model, fields, counts, fieldStats }: OpenJob,
  document: Readonly<Record<string, unknown>> | null,
  seconds: number,
): void {
  counts.inputRecords++;
  if (document === null || Number.isNaN(seconds)) {
    counts.invalidDates++;
    return;
  }
  const row: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let missing = 0;
  for (const name of fields) {
    const value = fieldValue(document, name);
    if (name !== CATEGORY_FIELD) fieldStats.note(name, value);
    if (value === undefined || value === null) missing++;
    else row[name] = value;
  }
  counts.missingFields += missing;
  counts.inputFields += fields.length - missing + 1;
  if (!model.add(seconds, row)) {
    counts.outOfOrder++;
    return;
  }
  noteDocument(counts, seconds, fields.length - missing + 1);
}

function* advance({ model, part }: OpenJob, { skipToMs, advanceToMs }: JsonObject): Generator<void> {
  if (typeof skipToMs === 'number') model.skipTo(skipToMs / 1000);
  if (typeof advanceToMs === 'number') yield* inParts(model, model.advancing(advanceToMs / 1000), part);
}

function interim(job: OpenJob, { fromMs, toMs }: JsonObject): Value {
  const result = job.model.interim();
  const timeMs = (result?.time ?? 0) * 1000;
  const isAsked = timeMs >= Number(fromMs ?? -Infinity) && timeMs < Number(toMs ?? Infinity);
  const results = result === null || !isAsked ? '' : bulkLines(bucketDocuments(job.config, result, 0));
  return answerOf(job, { ...NO_LINES, results }, null);
}

/** What a step writes, as lines of `_bulk`. */
interface StepLines {
  readonly results: string;
  readonly annotations: string;
  readonly moves: readonly ScoreMoves[];
  readonly alerts: readonly ResultDocument[];
}

const NO_LINES: StepLines = { results: '', annotations: '', moves: [], alerts: [] };

function resultLines(job: OpenJob, tookMs: number): StepLines {
  const results = job.model.takeResults();
  const each = results.length === 0 ? 0 : tookMs / results.length;
  for (let i = 0; i < results.length; i++) noteBucket(job.timing, each);
  if (job.tally !== null) {
    for (const result of results) job.tally.note(result);
    job.model.lines?.takeChanged();
    return NO_LINES;
  }
  const lines = results.map((result: BucketResult) => bulkLines(bucketDocuments(job.config, result, Math.round(each))));
  const categories = categoryLines(job);
  const changes = job.config.plot.annotates ? changeAnnotations(job.config, results) : '';
  const annotations = changes + categories.annotations;
  const moves = results.flatMap(({ time, moves: own }) => (own.length === 0 ? [] : [{ time, moves: own }]));
  const alerts = job.gate === null ? [] : results.flatMap((result) => job.gate!.take(result));
  return { results: lines.join('') + categories.results, annotations, moves, alerts };
}

/** Categories that have changed; of a job with partitions, how the lines of each fall into categories. */
function categoryLines({ config, model }: OpenJob): Pick<StepLines, 'results' | 'annotations'> {
  if (model.lines === null) return NO_LINES;
  const categories = model.lines.takeChanged().map((one) => categoryDocument(config, one));
  const sizes = model.lines.takeSizes();
  const timeMs = model.finalizedEnd * 1000;
  const own = config.categorization!.partition === null ? [] : sizes;
  return {
    results: bulkLines([...categories, ...own.map((one) => categorizerStats(config, one, timeMs))]),
    annotations: statusAnnotations(config, sizes, timeMs),
  };
}

function noteBucket(timing: OpenJob['timing'], ms: number): void {
  timing.leastMs = timing.buckets === 0 ? ms : Math.min(timing.leastMs, ms);
  timing.mostMs = Math.max(timing.mostMs, ms);
  timing.averageMs = timing.buckets === 0 ? ms : timing.averageMs + TIMING_RATE * (ms - timing.averageMs);
  timing.buckets++;
  timing.totalMs += ms;
}

function answerOf(job: OpenJob, { results, annotations, moves, alerts }: StepLines, before: DataCounts | null): Value {
  const { model, config, counts, timing } = job;
  counts.buckets = model.counts.buckets;
  counts.emptyBuckets = model.counts.emptyBuckets;
  counts.latestEmptyBucketS = Number.isNaN(model.latest.empty) ? null : model.latest.empty;
  counts.lastFinishedBucketS = Number.isNaN(model.latest.bucket) ? null : model.latest.bucket;
  const end = model.finalizedEnd;
  const answer: StepAnswer = {
    lines: Buffer.from(results),
    annotations: Buffer.from(annotations),
    ...{ moves, alerts },
    counts: toCountsJson(config.id, counts, null),
    modelSize: modelSizeStats(config, model),
    timing: {
      bucket_count: timing.buckets,
      total_bucket_processing_time_ms: timing.totalMs,
      minimum_bucket_processing_time_ms: timing.leastMs,
      maximum_bucket_processing_time_ms: timing.mostMs,
      average_bucket_processing_time_ms: timing.buckets === 0 ? 0 : timing.totalMs / timing.buckets,
      exponential_average_bucket_processing_time_ms: timing.averageMs,
      exponential_average_bucket_processing_time_per_hour_ms: (timing.averageMs * 3600) / config.spanS,
    },
    finalizedEndMs: Number.isNaN(end) || model.counts.buckets === 0 ? null : end * 1000,
    step: before === null ? {} : toCountsJson(config.id, counts, before),
    isPart: job.rest !== null,
  };
  return answer as unknown as Value;
}
