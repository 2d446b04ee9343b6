import type { OwnCalls } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify } from '@shoal/json';
import type { ColumnsHead } from '../jobs/column-input.js';
import { fieldsOf, type JobConfig } from '../jobs/job-config.js';
import { ColumnPages, type ColumnSite } from './column-pages.js';
import type { ColumnChoice } from './column-plan.js';
import { type DatafeedConfig, histogramInterval } from './datafeed-config.js';

/** Documents of a stretch of time, and where the next one begins; all of them lie before it. */
export interface Extract {
  /** Number of documents. */
  readonly count: number;
  /** Lines of JSON: documents, or, with `head`, what they add up to. */
  readonly lines: string;
  readonly head: ColumnsHead | null;
  readonly nextMs: number;
}

/** How a datafeed reads its history, and why not by columns. */
export interface Reading {
  readonly history: 'columns' | 'sources' | 'aggregations';
  readonly why: string | null;
}

/** Documents of one millisecond that are read at most. */
const SAME_TIME_MAX = 50_000;
/** Pages of a window that is chosen by the number of documents. */
const PAGES_OF_WINDOW = 10;
/** Rounds in real time whose documents are read at once; where more have been missed, windows are chosen first. */
const BRIEF_ROUNDS = 2;

/** Reads the documents of a datafeed in order of time. Each stretch is whole: none of its documents comes again. */
export class Extractor {
  readonly #feed: DatafeedConfig;
  readonly #job: JobConfig;
  readonly #calls: OwnCalls;
  #choice: ColumnChoice;
  #columns: ColumnPages | null = null;
  #isHistory = true;
  /** Length of windows whose documents are read without a look at how many they are; 0 for none. */
  #briefMs = 0;
  /** Of the last plan: time of the first document, and length of windows whose documents are read one by one. */
  #planned = { firstMs: Number.NEGATIVE_INFINITY, windowMs: Number.POSITIVE_INFINITY };
  searches = 0;

  constructor(feed: DatafeedConfig, job: JobConfig, calls: OwnCalls, choice: ColumnChoice = { why: 'a preview' }) {
    this.#feed = feed;
    this.#job = job;
    this.#calls = calls;
    this.#choice = choice;
  }

  get reading(): Reading {
    if (this.#feed.aggregations !== null) return { history: 'aggregations', why: null };
    return 'why' in this.#choice ? { history: 'sources', why: this.#choice.why } : { history: 'columns', why: null };
  }

  /** What comes now comes document by document; rounds begin every `frequencyMs`. */
  endHistory(frequencyMs: number): void {
    this.#isHistory = false;
    this.#columns = null;
    this.#briefMs = BRIEF_ROUNDS * frequencyMs;
  }

  /** Length of windows in milliseconds, and the time of the first document from a time on; null if there is none. */
  async plan(fromMs: number, toMs: number): Promise<{ readonly firstMs: number; readonly windowMs: number } | null> {
    const { timeField } = this.#job;
    if (this.#feed.aggregations === null && toMs - fromMs <= this.#briefMs) {
      this.#planned = { firstMs: fromMs, windowMs: toMs - fromMs };
      return this.#planned;
    }
    const answer = await this.#search({
      ...{ size: 0, track_total_hits: true, query: this.#between(fromMs, toMs) },
      aggs: { first: { min: { field: timeField } }, last: { max: { field: timeField } } },
    });
    const total = (answer['hits'] as { total: { value: number } }).total.value;
    if (total === 0) return null;
    const found = answer['aggregations'] as { first: { value: number }; last: { value: number } };
    const span = Math.max(1, found.last.value - found.first.value);
    const byCount = Math.ceil((span * PAGES_OF_WINDOW * this.#feed.pageSize) / total);
    const windowMs = this.#feed.chunkMs ?? Math.max(this.#job.spanS * 1000, byCount);
    const firstMs = Math.max(fromMs, found.first.value);
    this.#planned = { firstMs, windowMs };
    if ('why' in this.#choice || !this.#isHistory) return { firstMs, windowMs };
    this.#columns ??= new ColumnPages(this.#choice.plan, this.#site, total / span);
    return { firstMs, windowMs: this.#feed.chunkMs ?? Number.POSITIVE_INFINITY };
  }

  get #site(): ColumnSite {
    return {
      ...{ timeField: this.#job.timeField, spanMs: this.#job.spanS * 1000 },
      between: (fromMs, toMs) => this.#between(fromMs, toMs),
      search: (body) => this.#search(body),
    };
  }

  /** Reads a stretch that begins at `fromMs` and ends at `toMs` or before. */
  async next(fromMs: number, toMs: number): Promise<Extract> {
    if (this.#feed.aggregations !== null) return extractOf(await this.#buckets(fromMs, toMs));
    const { firstMs, windowMs } = this.#planned;
    const beginMs = Math.max(fromMs, firstMs);
    if (this.#columns !== null) {
      const found = await this.#columns.read(fromMs, this.#columns.endOf(beginMs, toMs));
      if (!('why' in found)) {
        const lines = found.rows.map((row) => `${stringify(row)}\n`).join('');
        return {
          count: found.rows.reduce((sum, row) => sum + row[1], 0),
          lines,
          head: found.head,
          nextMs: found.nextMs,
        };
      }
      this.#choice = found;
      this.#columns = null;
    }
    return extractOf(await this.#page(fromMs, Math.min(toMs, beginMs + windowMs)));
  }

  /** Documents of the first page from one time to another, as `_preview` shows them. */
  async preview(size: number, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER): Promise<readonly JsonObject[]> {
    if (this.#feed.aggregations === null) return (await this.#hits(fromMs, toMs, size)).map(({ document }) => document);
    const plan = await this.plan(fromMs, toMs);
    if (plan === null) return [];
    const interval = this.#interval();
    const start = Math.floor(plan.firstMs / interval) * interval;
    return (await this.#buckets(start, start + Math.max(plan.windowMs, interval))).documents.slice(0, size);
  }

  /** Numbers of documents by the start of their bucket in milliseconds, as they are now. */
  async counts(fromMs: number, toMs: number): Promise<Map<number, number>> {
    const interval = `${this.#job.spanS}s`;
    const histogram = { field: this.#job.timeField, fixed_interval: interval, min_doc_count: 1 };
    const answer = await this.#search({
      ...{ size: 0, track_total_hits: false, query: this.#between(fromMs, toMs) },
      aggs: { buckets: { date_histogram: histogram } },
    });
    const { buckets } = (answer['aggregations'] as { buckets: { buckets: { key: number; doc_count: number }[] } })
      .buckets;
    return new Map(buckets.map(({ key, doc_count: count }) => [key, count]));
  }

  #between(fromMs: number, toMs: number): JsonObject {
    const range = { range: { [this.#job.timeField]: { gte: fromMs, lt: toMs, format: 'epoch_millis' } } };
    return { bool: { filter: [this.#feed.query, range] } };
  }

  async #search(body: JsonObject): Promise<JsonObject> {
    this.searches++;
    const runtime = this.#feed.runtime === null ? {} : { runtime_mappings: this.#feed.runtime };
    return this.#calls.searchPlain(this.#feed.indices, { ...body, ...runtime });
  }

  async #page(fromMs: number, toMs: number): Promise<Found> {
    let size = this.#feed.pageSize;
    for (;;) {
      const hits = await this.#hits(fromMs, toMs, size);
      if (hits.length < size) return { documents: hits.map(({ document }) => document), nextMs: toMs };
      const lastMs = hits[hits.length - 1]!.timeMs;
      // Of the last millisecond there may be more: it comes with the next stretch.
      const whole = hits.filter(({ timeMs }) => timeMs < lastMs);
      if (whole.length > 0) return { documents: whole.map(({ document }) => document), nextMs: lastMs };
      if (size >= SAME_TIME_MAX)
        throw errors.illegalState(`more than [${SAME_TIME_MAX}] documents have the time [${lastMs}]`, { status: 400 });
      size = Math.min(SAME_TIME_MAX, size * 4);
    }
  }

  async #hits(fromMs: number, toMs: number, size: number): Promise<{ timeMs: number; document: JsonObject }[]> {
    const { timeField } = this.#job;
    const scripted = this.#feed.scriptFields ?? {};
    const fields = fieldsOf(this.#job).filter((name) => name !== 'mlcategory' && !Object.hasOwn(scripted, name));
    const found: { timeMs: number; document: JsonObject }[] = [];
    let after: unknown = undefined;
    while (found.length < size) {
      const answer = await this.#search({
        size: Math.min(size - found.length, 10_000),
        query: this.#between(fromMs, toMs),
        sort: [{ [timeField]: { order: 'asc', format: 'epoch_millis' } }, { _doc: 'asc' }],
        track_total_hits: false,
        _source: false,
        fields,
        ...(this.#feed.scriptFields === null ? {} : { script_fields: scripted }),
        ...(after === undefined ? {} : { search_after: after }),
      });
      const { hits } = answer['hits'] as { hits: { fields?: JsonObject; sort: unknown[] }[] };
      for (const hit of hits) {
        const timeMs = Number(hit.sort[0]);
        found.push({ timeMs, document: documentOf(timeField, timeMs, hit.fields ?? {}) });
      }
      // `_doc` orders a shard only: with several shards a page is searched again in one piece.
      if (hits.length === 0 || found.length >= size || hits.length < 10_000) break;
      after = hits[hits.length - 1]!.sort;
    }
    return found;
  }

  #interval(): number {
    const interval = histogramInterval(this.#feed.aggregations!);
    if (interval === null || !(interval > 0))
      throw errors.illegalArgument('A date_histogram (or histogram) aggregation is required');
    return interval;
  }

  async #buckets(fromMs: number, toMs: number): Promise<Found> {
    const interval = this.#interval();
    const endMs = Math.floor(toMs / interval) * interval;
    if (endMs <= fromMs) return { documents: [], nextMs: fromMs };
    const documents: JsonObject[] = [];
    for (let aggs: JsonObject | null = this.#feed.aggregations; aggs !== null; ) {
      const query = this.#between(fromMs, endMs);
      const answer = await this.#search({ ...{ size: 0, track_total_hits: false, query, aggs } });
      const found = (answer['aggregations'] as JsonObject | undefined) ?? {};
      flatten(found, {}, this.#job, documents);
      aggs = nextPage(aggs, found);
    }
    const time = this.#job.timeField;
    return { documents: documents.sort((a, b) => Number(a[time]) - Number(b[time])), nextMs: endMs };
  }
}

/** The aggregations that give what comes after an answer; null if that was all: a composite one comes in pages. */
function nextPage(aggregations: JsonObject, found: JsonObject): JsonObject | null {
  for (const [name, body] of Object.entries(aggregations)) {
    const composite = isPlainObject(body) ? body['composite'] : undefined;
    const after = (found[name] as JsonObject | undefined)?.['after_key'];
    if (isPlainObject(composite) && after !== undefined)
      return { ...aggregations, [name]: { ...(body as JsonObject), composite: { ...composite, after } } };
  }
  return null;
}

interface Found {
  readonly documents: readonly JsonObject[];
  readonly nextMs: number;
}

function extractOf({ documents, nextMs }: Found): Extract {
  const lines = documents.map((document) => `${stringify(document)}\n`).join('');
  return { count: documents.length, lines, head: null, nextMs };
}

function documentOf(timeField: string, timeMs: number, fields: JsonObject): JsonObject {
  const document: Record<string, unknown> = { [timeField]: timeMs };
  for (const [name, values] of Object.entries(fields)) {
    const list = values as readonly unknown[];
    document[name] = list.length === 1 ? list[0] : list;
  }
  return document;
}

/**
 * Makes a document of each innermost bucket: keys of terms and values of metrics by their names, and the count of its
 * documents. The time is that of the `max` aggregation of the time field, or the key of the histogram.
 */
function flatten(
  level: JsonObject,
  outer: JsonObject,
  job: JobConfig,
  out: JsonObject[],
  count: number | null = null,
): void {
  const own: Record<string, unknown> = { ...outer };
  const nested: { name: string; buckets: readonly JsonObject[] }[] = [];
  for (const [name, value] of Object.entries(level)) {
    if (!isPlainObject(value)) continue;
    if (Array.isArray(value['buckets'])) nested.push({ name, buckets: value['buckets'] as JsonObject[] });
    else if (isPlainObject(value['values'])) own[name] = Object.values(value['values'])[0];
    else if (value['value'] !== undefined && value['value'] !== null) own[name] = value['value'];
  }
  if (nested.length === 0 && count !== null) {
    if (count > 0 && own[job.timeField] !== undefined) out.push({ ...own, doc_count: count });
    return;
  }
  for (const { name, buckets } of nested)
    for (const bucket of buckets) {
      const key = bucket['key'];
      const isTime =
        bucket['key_as_string'] !== undefined && typeof key === 'number' && own[job.timeField] === undefined;
      const keys = isPlainObject(key) ? key : isTime ? { [job.timeField]: key } : { [name]: key };
      flatten(bucket, { ...own, ...keys }, job, out, Number(bucket['doc_count']));
    }
}
