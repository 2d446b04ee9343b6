import { type CallContext, OwnCalls } from '@shoal/coordinator';
import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { parseDatafeed } from '../datafeeds/datafeed-config.js';
import { Extractor } from '../datafeeds/extract.js';
import type { JobConfig } from '../jobs/job-config.js';
import { type ModelRoom, stepOf } from '../jobs/job-room.js';
import type { MlDoors } from '../ml-doors.js';
import { resultTime } from '../results/result-queries.js';

/** A preview ends after as long, or as many bytes of documents. */
const TIME_MOST_MS = 60_000;
const BYTES_MOST = 64 * 1024 * 1024;
const KEYS = ['job_config', 'datafeed_config', 'start', 'end'];

interface Parts {
  readonly job: JsonObject;
  readonly datafeed: JsonObject;
  readonly startMs: number;
  readonly endMs: number;
}

/** Parts of the body: `job_config` and `datafeed_config`, or a job as it would be put. */
function partsOf(body: JsonObject, nowMs: number): Parts {
  const isJob = body['analysis_config'] !== undefined;
  if (!isJob) {
    const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) throw errors.xContentParse(`[preview] unknown field [${unknown}]`);
  }
  const { start, end, ...given } = body;
  const whole = isJob ? given : given['job_config'];
  if (!isPlainObject(whole)) throw errors.illegalArgument('[job_config] must be set');
  const { datafeed_config: inner, ...job } = whole;
  const datafeed = isJob ? inner : (given['datafeed_config'] ?? inner);
  if (!isPlainObject(datafeed)) throw errors.illegalArgument('[datafeed_config] must be set: what the job would read');
  const startMs = resultTime('start', start, nowMs) ?? 0;
  const endMs = resultTime('end', end, nowMs) ?? nowMs;
  if (endMs <= startMs) throw errors.illegalArgument(`[start] [${startMs}] must be earlier than [end] [${endMs}]`);
  return { job, datafeed, startMs, endMs };
}

/** What parsing a job of a preview needs of the service. */
export interface PreviewSite {
  parse(id: string, body: unknown): Promise<JobConfig>;
  filters(job: JobConfig): Promise<JsonObject>;
}

/**
 * Runs a job that does not exist on documents that do, as far as a minute or 64 MB go, and says what it would have
 * found: how many alarms each score would have given, what was most surprising, seasons, memory. Nothing is written.
 */
export async function previewJob(
  doors: MlDoors,
  site: PreviewSite,
  body: JsonObject,
  call: CallContext,
): Promise<JsonObject> {
  const { clock, analysisRoom: room } = doors;
  const { job: given, datafeed, startMs, endMs } = partsOf(body, clock.now());
  const id = `preview-${Buffer.from(doors.random.bytes(8)).toString('hex')}`;
  const { job_id: _, ...plain } = given;
  const job = await site.parse(id, plain);
  const feed = parseDatafeed('preview', { ...datafeed, datafeed_id: 'preview', job_id: id });
  const calls = new OwnCalls(doors.coordinator, call.subject, call.signal);
  const opened = { id, config: job.json, filters: await site.filters(job), calendar: [], pieces: 0 };
  await room.call('open', {
    ...opened,
    nowMs: clock.now(),
    mostBytes: doors.modelBytes,
    isPreview: true,
  } as unknown as Value);
  try {
    const startedMs = clock.monotonic();
    const read = await feedPreview(doors, new Extractor(feed, job, calls), id, { startMs, endMs, signal: call.signal });
    const summary = (await room.call('summary', { id })) as unknown as JsonObject;
    return { took: Math.round(clock.monotonic() - startedMs), ...read, ...summary };
  } finally {
    await room.call('close', { id }).catch(() => undefined);
  }
}

async function feedPreview(
  { clock, analysisRoom: room }: MlDoors,
  extractor: Extractor,
  id: string,
  { startMs, endMs, signal }: { readonly startMs: number; readonly endMs: number; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const untilMs = clock.monotonic() + TIME_MOST_MS;
  let [documents, bytes, at] = [0, 0, startMs];
  const mayGoOn = (): boolean => clock.monotonic() < untilMs && bytes < BYTES_MOST && !signal.aborted;
  while (at < endMs && mayGoOn()) {
    const plan = await extractor.plan(at, endMs);
    if (plan === null) {
      at = endMs;
      break;
    }
    const windowEnd = Math.min(endMs, plan.firstMs + plan.windowMs);
    while (at < windowEnd && mayGoOn()) {
      const { count, lines: text, nextMs } = await extractor.next(at, windowEnd);
      if (nextMs === at) break;
      const lines = Buffer.from(text);
      if (lines.length > 0) await giveAll(room, id, lines, mayGoOn);
      [documents, bytes, at] = [documents + count, bytes + lines.length, nextMs];
    }
    if (at < windowEnd && mayGoOn()) break;
  }
  signal.throwIfAborted();
  return { is_complete: at >= endMs, end: at, documents, bytes };
}

/** Gives a job documents, as long as it may go on. */
async function giveAll(room: ModelRoom, id: string, documents: Uint8Array, mayGoOn: () => boolean): Promise<void> {
  for await (const _ of stepOf(room, 'data', { id, documents, isFed: true })) if (!mayGoOn()) return;
}
