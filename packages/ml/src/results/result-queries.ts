import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { dateFormat } from '@shoal/values';
import type { MlDocuments } from '../documents/ml-documents.js';
import { readAlias } from '../documents/ml-indices.js';

const DATES = dateFormat('strict_date_optional_time||epoch_millis');
const EXPANDED_MAX = 10_000;
const PAGE_MAX = 10_000;

/** Options of a call for results: members of the body, else parameters of the same names. */
export type ResultOptions = JsonObject;

/** A page of results. */
interface Page {
  readonly from: number;
  readonly size: number;
}

/** Parses a time of results: a date, date math, or milliseconds. */
export function resultTime(name: string, value: unknown, nowMs: number): number | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number') return value;
  const text = String(value);
  if (/^-?\d{5,}$/.test(text)) return Number(text);
  try {
    return DATES.parseRounded(text, { roundUp: false, now: () => nowMs });
  } catch {
    throw errors.parse(
      `Query param [${name}] with value [${text}] cannot be parsed as a date or converted to a number (epoch).`,
    );
  }
}

function numberOf(options: ResultOptions, key: string, fallback: number): number {
  const value = options[key];
  if (value === undefined || value === null) return fallback;
  const number = Number(value);
  if (!Number.isFinite(number)) throw errors.illegalArgument(`Failed to parse [${key}] with value [${String(value)}]`);
  return number;
}

/** A member that is true or false, as JSON or as a parameter. */
export const flag = (options: ResultOptions, key: string, fallback: boolean): boolean => {
  const value = options[key];
  return value === undefined || value === null ? fallback : value === true || value === 'true' || value === '';
};

/** Page of a call: the member `page`, or parameters. Throws 8.12's errors. */
export function pageOf(options: ResultOptions): Page {
  const page = (options['page'] as JsonObject | undefined) ?? options;
  const from = numberOf(page, 'from', 0);
  const size = numberOf(page, 'size', 100);
  if (from < 0) throw errors.illegalArgument('Parameter [from] cannot be < 0');
  if (size < 0) throw errors.illegalArgument('Parameter [size] cannot be < 0');
  if (from + size > PAGE_MAX)
    throw errors.illegalArgument(`The sum of parameters [from] and [size] cannot be higher than ${PAGE_MAX}.`);
  return { from, size };
}

interface Kind {
  readonly type: string;
  readonly score: string;
  readonly sort: string;
  readonly desc: boolean;
}

const KINDS: Readonly<Record<'buckets' | 'records' | 'influencers', Kind>> = {
  buckets: { type: 'bucket', score: 'anomaly_score', sort: 'timestamp', desc: false },
  records: { type: 'record', score: 'record_score', sort: 'record_score', desc: true },
  influencers: { type: 'influencer', score: 'influencer_score', sort: 'influencer_score', desc: true },
};

/** Reads the results of jobs. */
export class ResultQueries {
  readonly #documents: MlDocuments;

  constructor(documents: MlDocuments) {
    this.#documents = documents;
  }

  /** Returns buckets, records or influencers of a job. */
  async list(kind: keyof typeof KINDS, job: string, options: ResultOptions, nowMs: number): Promise<JsonObject> {
    const { type, score, sort, desc } = KINDS[kind];
    const { from, size } = pageOf(options);
    const filter: JsonObject[] = [{ term: { result_type: type } }];
    const least = numberOf(options, score, 0);
    if (least > 0) filter.push({ range: { [score]: { gte: least } } });
    if (flag(options, 'exclude_interim', false)) filter.push({ bool: { must_not: [{ term: { is_interim: true } }] } });
    const [start, end] = [resultTime('start', options['start'], nowMs), resultTime('end', options['end'], nowMs)];
    const at = resultTime('timestamp', options['timestamp'], nowMs);
    if (at !== null) filter.push({ term: { timestamp: at } });
    else if (start !== null || end !== null) filter.push(range(start, end));
    const order = flag(options, 'desc', desc) ? 'desc' : 'asc';
    const field = String(options['sort'] ?? sort);
    const sorts = [
      { [field]: { order, unmapped_type: 'double' } },
      ...(field === 'timestamp' ? [] : [{ timestamp: 'desc' }]),
    ];
    const body = { from, size, track_total_hits: true, query: { bool: { filter } }, sort: sorts };
    const { total, hits } = await this.#documents.search(readAlias(job), body);
    if (at !== null && hits.length === 0 && kind === 'buckets')
      throw errors.resourceNotFound(`Unknown bucket with timestamp [${at}] for job [${job}]`);
    const found = hits.map(({ source }) => source);
    if (kind === 'buckets' && flag(options, 'expand', false))
      return { count: total, buckets: await this.#expand(job, found) };
    return { count: total, [kind]: found };
  }

  async #expand(job: string, buckets: readonly JsonObject[]): Promise<JsonObject[]> {
    const times = buckets.map((bucket) => bucket['timestamp']);
    const filter = [{ term: { result_type: 'record' } }, { terms: { timestamp: times } }];
    const sort = [{ record_score: 'desc' }];
    const { hits } = await this.#documents.search(readAlias(job), {
      size: EXPANDED_MAX,
      query: { bool: { filter } },
      sort,
    });
    return buckets.map((bucket) => ({
      ...bucket,
      records: hits.map(({ source }) => source).filter((record) => record['timestamp'] === bucket['timestamp']),
    }));
  }

  /** Returns categories of a job, or one of them. */
  async categories(job: string, category: string | null, options: ResultOptions): Promise<JsonObject> {
    const { from, size } = pageOf(options);
    const filter: JsonObject[] = [{ term: { result_type: 'category_definition' } }];
    if (category !== null) {
      const id = Number(category);
      if (!Number.isInteger(id)) throw errors.illegalArgument(`categoryId must be an integer [${category}]`);
      filter.push({ term: { category_id: id } });
    }
    const partition = options['partition_field_value'];
    if (partition !== undefined) filter.push({ term: { partition_field_value: partition as string } });
    const body = { from, size, track_total_hits: true, query: { bool: { filter } }, sort: [{ category_id: 'asc' }] };
    const { total, hits } = await this.#documents.search(readAlias(job), body);
    return { count: total, categories: hits.map(({ source }) => source) };
  }

  /** Returns times at which the buckets of several jobs together were anomalous. */
  async overall(
    jobs: readonly { readonly id: string; readonly spanS: number }[],
    options: ResultOptions,
    spanS: number,
    nowMs: number,
  ): Promise<JsonObject> {
    const topN = numberOf(options, 'top_n', 1);
    if (!(topN > 0)) throw errors.illegalArgument('[topN] parameter must be positive');
    const least = numberOf(options, 'overall_score', 0);
    const [start, end] = [resultTime('start', options['start'], nowMs), resultTime('end', options['end'], nowMs)];
    const times = new Map<number, Map<string, { score: number; isInterim: boolean }>>();
    for (const { id } of jobs) {
      const filter = [
        { term: { result_type: 'bucket' } },
        ...(start === null && end === null ? [] : [range(start, end)]),
      ];
      const { hits } = await this.#documents.search(readAlias(id), {
        size: PAGE_MAX,
        query: { bool: { filter } },
        sort: [{ timestamp: 'asc' }],
      });
      for (const { source } of hits) {
        const time = Math.floor(Number(source['timestamp']) / 1000 / spanS) * spanS * 1000;
        const scores = times.get(time) ?? new Map<string, { score: number; isInterim: boolean }>();
        const known = scores.get(id);
        const score = Math.max(known?.score ?? 0, Number(source['anomaly_score']));
        scores.set(id, { score, isInterim: (known?.isInterim ?? false) || source['is_interim'] === true });
        times.set(time, scores);
      }
    }
    const excludes = flag(options, 'exclude_interim', false);
    const buckets = [...times]
      .sort(([a], [b]) => a - b)
      .flatMap(([timestamp, scores]) => {
        const all = jobs.map(({ id }) => ({ job_id: id, max_anomaly_score: scores.get(id)?.score ?? 0 }));
        const top = all
          .map((one) => one.max_anomaly_score)
          .sort((a, b) => b - a)
          .slice(0, topN);
        const score = top.reduce((sum, one) => sum + one, 0) / Math.max(1, top.length);
        const isInterim = [...scores.values()].some((one) => one.isInterim);
        if (score < least || (excludes && isInterim)) return [];
        return [
          {
            timestamp,
            bucket_span: spanS,
            overall_score: score,
            jobs: all,
            is_interim: isInterim,
            result_type: 'overall_bucket',
          },
        ];
      });
    return { count: buckets.length, overall_buckets: buckets };
  }
}

function range(start: number | null, end: number | null): JsonObject {
  return { range: { timestamp: { ...(start === null ? {} : { gte: start }), ...(end === null ? {} : { lt: end }) } } };
}
