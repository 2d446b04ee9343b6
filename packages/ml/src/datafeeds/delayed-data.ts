import type { JsonObject } from '@shoal/json';
import { readAlias } from '../documents/ml-indices.js';
import type { JobConfig } from '../jobs/job-config.js';
import type { MlDoors } from '../ml-doors.js';
import { annotate } from '../results/annotations.js';
import { notify } from '../audit.js';
import type { DatafeedConfig } from './datafeed-config.js';
import type { Extractor } from './extract.js';

/** Least check window, in milliseconds and buckets, and most buckets that one check compares. */
const WINDOW_LEAST_MS = 2 * 3_600_000;
const WINDOW_BUCKETS = 8;
const BUCKETS_MAX = 10_000;
/** Milliseconds between two checks, at most. */
const EVERY_MOST_MS = 15 * 60_000;

/** A bucket that has fewer documents than its indices have now. */
export interface ShortBucket {
  readonly startMs: number;
  readonly missing: number;
}

/** Returns the buckets that lack documents. Counts by the start of a bucket in milliseconds. */
export function shortBuckets(
  judged: ReadonlyMap<number, number>,
  there: ReadonlyMap<number, number>,
): readonly ShortBucket[] {
  return [...judged]
    .map(([startMs, count]) => ({ startMs, missing: (there.get(startMs) ?? 0) - count }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => a.startMs - b.startMs);
}

/** Milliseconds of past buckets that are counted again, as in 8.12; 0 for no check. */
export function checkWindowOf({ checkWindowMs, aggregations }: DatafeedConfig, { spanS }: JobConfig): number {
  // Documents of aggregations stand for many: their number says nothing of the number in the indices.
  if (checkWindowMs === 0 || aggregations !== null) return 0;
  const spanMs = spanS * 1000;
  const window = checkWindowMs ?? Math.max(WINDOW_LEAST_MS, WINDOW_BUCKETS * spanMs);
  return Math.min(window, BUCKETS_MAX * spanMs);
}

/** Looks for documents that came after their bucket was judged, and writes an annotation with their number. */
export class DelayedData {
  readonly #doors: MlDoors;
  readonly #job: JobConfig;
  readonly #extractor: Extractor;
  readonly #windowMs: number;
  #lastMs: number;
  #last = '';

  constructor(doors: MlDoors, feed: DatafeedConfig, job: JobConfig, extractor: Extractor) {
    this.#doors = doors;
    this.#job = job;
    this.#extractor = extractor;
    this.#windowMs = checkWindowOf(feed, job);
    this.#lastMs = doors.clock.now();
  }

  /** Checks if it is time to. `endMs`: end of the last finished bucket. */
  async check(endMs: number | null): Promise<void> {
    const nowMs = this.#doors.clock.now();
    if (this.#windowMs === 0 || endMs === null || nowMs - this.#lastMs < Math.min(EVERY_MOST_MS, this.#windowMs))
      return;
    this.#lastMs = nowMs;
    const spanMs = this.#job.spanS * 1000;
    const fromMs = Math.floor((endMs - this.#windowMs) / spanMs) * spanMs;
    const found = shortBuckets(await this.#judged(fromMs, endMs), await this.#extractor.counts(fromMs, endMs));
    if (found.length === 0) return;
    const total = found.reduce((sum, { missing }) => sum + missing, 0);
    const startMs = found[0]!.startMs;
    const latest = new Date(found.at(-1)!.startMs).toISOString();
    const text =
      `Datafeed has missed ${total} documents due to ingest latency, latest bucket with missing data is [${latest}].` +
      ' Consider increasing query_delay';
    if (text === this.#last) return;
    this.#last = text;
    const annotation = { jobId: this.#job.id, text, event: 'delayed_data', startMs, nowMs } as const;
    await annotate(this.#doors, `${this.#job.id}_delayed_data_${startMs}`, {
      ...annotation,
      endMs: found.at(-1)!.startMs + spanMs,
    });
    await notify(this.#doors, this.#job.id, 'warning', text);
  }

  async #judged(fromMs: number, toMs: number): Promise<Map<number, number>> {
    const filter: JsonObject[] = [
      { term: { result_type: 'bucket' } },
      { range: { timestamp: { gte: fromMs, lt: toMs } } },
      { bool: { must_not: [{ term: { is_interim: true } }] } },
    ];
    const { hits } = await this.#doors.documents.search(readAlias(this.#job.id), {
      ...{ size: BUCKETS_MAX, query: { bool: { filter } } },
    });
    return new Map(hits.map(({ source }) => [Number(source['timestamp']), Number(source['event_count'])]));
  }
}
