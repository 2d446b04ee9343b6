import { type ApiError, isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { ColumnRow, ColumnsHead } from '../jobs/column-input.js';
import type { ColumnPlan } from './column-plan.js';

/** Combinations of values that one search returns, and those that a window should have. */
const PAGE = 10_000;
const ROWS_WANTED = 6000;
/** Combinations of a bucket that are held at most; beyond them documents are read one by one. */
const ROWS_MAX = 100_000;
/** Combinations by which it is seen whether they are fewer than the documents; of those each must have several. */
const ROWS_JUDGED = 2000;
const DOCUMENTS_PER_ROW = 2;
/** Documents of the first window, by the mean number over the whole stretch. */
const FIRST_DOCUMENTS = 50_000;
const GROWTH_MAX = 8;

/** Rows of a stretch, or why it has to be read document by document. */
export type ColumnStretch =
  | { readonly rows: readonly ColumnRow[]; readonly head: ColumnsHead; readonly nextMs: number }
  | { readonly why: string };

/** What pages of columns need of a datafeed. */
export interface ColumnSite {
  readonly timeField: string;
  readonly spanMs: number;
  between(fromMs: number, toMs: number): JsonObject;
  search(body: JsonObject): Promise<JsonObject>;
}

/** Reads stretches of time as sums by bucket and values, from the columns of the shards. */
export class ColumnPages {
  readonly #plan: ColumnPlan;
  readonly #site: ColumnSite;
  #windowMs: number;

  /** `perMs`: documents a millisecond, about. */
  constructor(plan: ColumnPlan, site: ColumnSite, perMs: number) {
    this.#plan = plan;
    this.#site = site;
    this.#windowMs = Math.max(site.spanMs, FIRST_DOCUMENTS / Math.max(perMs, 1e-9));
  }

  /** End of the window that is read next: a whole number of buckets, or the end of the stretch. */
  endOf(fromMs: number, toMs: number): number {
    const { spanMs } = this.#site;
    const end = Math.floor((fromMs + this.#windowMs) / spanMs) * spanMs;
    return Math.min(toMs, Math.max(end, (Math.floor(fromMs / spanMs) + 1) * spanMs));
  }

  /** Reads a window, or its first buckets if they are all that a search returns. Throws what may pass. */
  async read(fromMs: number, toMs: number): Promise<ColumnStretch> {
    try {
      return await this.#read(fromMs, toMs);
    } catch (error) {
      const why = refusalOf(error);
      if (why === null) throw error;
      return { why };
    }
  }

  async #read(fromMs: number, toMs: number): Promise<ColumnStretch> {
    const rows: ColumnRow[] = [];
    let after: JsonObject | undefined;
    let bounds: Bounds | null = null;
    for (;;) {
      const page = (await this.#site.search(this.#body(fromMs, toMs, after))) as unknown as Page;
      bounds ??= boundsOf(page);
      for (const bucket of page.aggregations.rows.buckets) rows.push(this.#rowOf(bucket));
      if (isFine(rows)) return { why: 'most documents have a combination of values of their own' };
      if (page.aggregations.rows.buckets.length < PAGE) break;
      after = page.aggregations.rows.after_key;
      // Of the last bucket there may be more rows: it comes with the next window.
      const { spanMs } = this.#site;
      const cutMs = Math.floor(rows[rows.length - 1]![0] / spanMs) * spanMs;
      if (rows[0]![0] < cutMs) {
        const whole = rows.filter(([timeMs]) => timeMs < cutMs);
        bounds = boundsOf((await this.#site.search(this.#boundsBody(fromMs, cutMs))) as unknown as Page);
        return this.#stretch(whole, bounds, fromMs, cutMs);
      }
      if (rows.length >= ROWS_MAX) return { why: `a bucket has more than [${ROWS_MAX}] combinations of values` };
    }
    return this.#stretch(rows, bounds, fromMs, toMs);
  }

  #stretch(rows: ColumnRow[], bounds: Bounds, fromMs: number, toMs: number): ColumnStretch {
    const counted = rows.reduce((sum, row) => sum + row[1], 0);
    if (counted !== bounds.total) return { why: 'documents have several values of a field' };
    const growth = Math.min(GROWTH_MAX, ROWS_WANTED / Math.max(1, rows.length));
    this.#windowMs = Math.max(this.#site.spanMs, (toMs - Math.max(fromMs, bounds.firstMs)) * growth);
    const { keys, amounts } = this.#plan;
    const { firstMs, lastMs } = bounds;
    // Models meet values in the order in which they come first, as with documents.
    rows.sort((a, b) => a[0] - b[0]);
    return { rows, head: { keys, amounts, firstMs, lastMs }, nextMs: toMs };
  }

  #boundsBody(fromMs: number, toMs: number): JsonObject {
    const { timeField: field } = this.#site;
    const aggs = { first: { min: { field } }, last: { max: { field } } };
    return { size: 0, track_total_hits: true, query: this.#site.between(fromMs, toMs), aggs };
  }

  #body(fromMs: number, toMs: number, after: JsonObject | undefined): JsonObject {
    const { timeField: field, spanMs } = this.#site;
    const { keys, amounts, squares } = this.#plan;
    const sources = [
      { time: { date_histogram: { field, fixed_interval: `${spanMs}ms` } } },
      ...keys.map((key, i) => ({ [`k${i}`]: { terms: { field: key, missing_bucket: true } } })),
    ];
    const sums = amounts.map((name, i) => [
      `a${i}`,
      { [squares.has(name) ? 'extended_stats' : 'stats']: { field: name } },
    ]);
    return {
      ...this.#boundsBody(fromMs, toMs),
      aggs: {
        rows: {
          composite: { size: PAGE, sources, ...(after === undefined ? {} : { after }) },
          aggs: { first: { min: { field } }, ...(Object.fromEntries(sums) as JsonObject) },
        },
        ...{ first: { min: { field } }, last: { max: { field } } },
      },
    };
  }

  #rowOf(bucket: RowBucket): ColumnRow {
    const { keys, amounts } = this.#plan;
    return [
      (bucket['first'] as { value: number }).value,
      bucket.doc_count,
      keys.map((_, i) => bucket.key[`k${i}`] ?? null),
      amounts.map((_, i) => {
        const { count, sum, min, max, sum_of_squares: squares } = bucket[`a${i}`] as unknown as Stats;
        return count === 0 ? null : [count, sum, squares ?? 0, min, max];
      }),
    ];
  }
}

/** Whether rows are about as many as their documents: then documents are read in half the time. */
const isFine = (rows: readonly ColumnRow[]): boolean =>
  rows.length >= ROWS_JUDGED && rows.reduce((sum, row) => sum + row[1], 0) < DOCUMENTS_PER_ROW * rows.length;

/** Causes that a search for documents, which are fewer at once, does not have. */
const TOO_LARGE: ReadonlySet<string> = new Set(['circuit_breaking_exception', 'too_many_buckets_exception']);

/** Why a search for columns is refused however often it is made; null if it may succeed later. */
function refusalOf(error: unknown): string | null {
  if (!isApiError(error) || error.type === 'index_closed_exception') return null;
  const chain: ApiError[] = [];
  for (let at: ApiError | undefined = error; at !== undefined; at = at.causedBy) chain.push(at);
  const large = chain.find(({ type }) => TOO_LARGE.has(type));
  if (large === undefined && error.status !== 400 && error.status !== 429) return null;
  return large?.reason ?? (chain.find(({ reason }) => reason !== null && reason !== '')?.reason || error.type);
}

interface Page {
  readonly hits: { readonly total: { readonly value: number } };
  readonly aggregations: {
    readonly rows: { readonly buckets: readonly RowBucket[]; readonly after_key?: JsonObject };
    readonly first: { readonly value: number | null };
    readonly last: { readonly value: number | null };
  };
}

interface Bounds {
  readonly total: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

function boundsOf({ hits, aggregations: { first, last } }: Page): Bounds {
  return { total: hits.total.value, firstMs: first.value ?? 0, lastMs: last.value ?? 0 };
}

interface RowBucket extends JsonObject {
  readonly key: JsonObject;
  readonly doc_count: number;
}

interface Stats {
  readonly count: number;
  readonly sum: number;
  readonly sum_of_squares?: number;
  readonly min: number;
  readonly max: number;
}
