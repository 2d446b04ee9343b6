import { kqlQuery, type Query } from '../kql/kql-query.js';
import { typesOf, type Field } from './fields.js';
import { type Filter, filterQuery } from './filters.js';
import { MARKS } from './marks.js';
import type { Language, SearchState, Sort } from './search-state.js';
import { intervalOf, isoText, PRESETS, spanOf, type TimeRange, type TimeSpan } from './time-range.js';

/** How long a point in time is kept between two requests. */
export const KEEP_ALIVE = '5m';
/** Documents up to which the first range is all time. */
const ALL_TIME_MAX = 1_000_000;

/** What a text in one of the languages is made a query with. */
export interface QueryContext {
  readonly fields: readonly Field[];
  readonly timeZone: string;
}

/** The query of a text. Throws KqlError. */
export function textQuery(text: string, language: Language, { fields, timeZone }: QueryContext): Query {
  if (text.trim() === '') return { match_all: {} };
  if (language === 'kql') return kqlQuery(text, { types: typesOf(fields), timeZone });
  return { query_string: { query: text, analyze_wildcard: true, time_zone: timeZone } };
}

/** The condition that a field of time lies within a span. */
export const spanQuery = (field: string, { from, to }: TimeSpan): Query => ({
  range: { [field]: { gte: isoText(from), lte: isoText(to), format: 'strict_date_optional_time' } },
});

/** A text, filters and a span as one query. Throws KqlError. */
export function wholeQuery(
  { text, language, filters }: Pick<SearchState, 'text' | 'language'> & { readonly filters: readonly Filter[] },
  context: QueryContext,
  time: { readonly field: string; readonly span: TimeSpan } | null,
): Query {
  const filter = [...filters.map(filterQuery), ...(time === null ? [] : [spanQuery(time.field, time.span)])];
  const must = text.trim() === '' ? [] : [textQuery(text, language, context)];
  return { bool: { ...(must.length === 0 ? {} : { must }), filter } };
}

/** Asks which ranges have documents, to choose the first one. */
export function firstRangeBody(timeField: string, now: number): object {
  const filters = PRESETS.map(({ name, from }) => [name, spanQuery(timeField, spanOf({ from, to: 'now' }, now)!)]);
  return {
    size: 0,
    track_total_hits: ALL_TIME_MAX + 1,
    aggs: { presets: { filters: { filters: Object.fromEntries(filters) } } },
  };
}

/** All time for little data, else the shortest range that has any. */
export function firstRange(answer: unknown): TimeRange {
  const { hits, aggregations } = answer as {
    readonly hits?: { readonly total?: { readonly value: number } };
    readonly aggregations?: {
      readonly presets?: { readonly buckets?: Readonly<Record<string, { readonly doc_count: number }>> };
    };
  };
  if ((hits?.total?.value ?? 0) <= ALL_TIME_MAX) return 'all';
  const buckets = aggregations?.presets?.buckets ?? {};
  const found = PRESETS.find(({ name }) => (buckets[name]?.doc_count ?? 0) > 0);
  return found === undefined ? 'all' : { from: found.from, to: 'now' };
}

/** Order of lines: the one asked for, the newest first, the best match first, or none. */
export function sortClause(
  sort: Sort | null,
  timeField: string | null,
  fields: readonly Field[],
  hasText: boolean,
): readonly unknown[] {
  const by = sort ?? (timeField === null ? null : { field: timeField, isDown: true });
  if (by === null) return hasText ? ['_score'] : ['_doc'];
  const type = fields.find(({ name }) => name === by.field)?.type ?? 'keyword';
  return [
    {
      [by.field]: {
        order: by.isDown ? 'desc' : 'asc',
        unmapped_type: type === 'conflict' ? 'keyword' : type,
        ...(type === 'date_nanos' ? { format: 'strict_date_optional_time_nanos', numeric_type: 'date_nanos' } : {}),
      },
    },
  ];
}

/** What a request for lines is made of. */
export interface LinesRequest {
  readonly query: Query;
  readonly sort: readonly unknown[];
  /** Whether what matched is told. */
  readonly isMarked?: boolean;
  /** Fields whose values are asked for besides the documents. */
  readonly fields: readonly AskedField[];
}

/** A field whose values are asked for, dates in a form of which the zone is known. */
export type AskedField = string | { readonly field: string; readonly format: string };

/** The columns of lines as fields to ask for, the field of time among them. */
export function askedFields(
  columns: readonly string[],
  timeField: string | null,
  fields: readonly Field[],
): readonly AskedField[] {
  const types = typesOf(fields);
  const isDate = (name: string): boolean => name === timeField || /^date(_nanos)?$/.test(types.get(name) ?? '');
  const names = timeField === null || columns.includes(timeField) ? columns : [...columns, timeField];
  return names.map((field) => (isDate(field) ? { field, format: 'strict_date_optional_time_nanos' } : field));
}

/** The request for a page of lines of a point in time. `after`: text of the sort values of the line before. */
export function linesBody(
  { query, sort, fields, isMarked = false }: LinesRequest,
  { pit, size, after }: { readonly pit: string; readonly size: number; readonly after: string | null },
): string {
  const body = JSON.stringify({
    size,
    query,
    sort,
    ...(fields.length === 0 ? {} : { fields }),
    ...(isMarked ? { highlight: MARKS } : {}),
    track_total_hits: false,
    pit: { id: pit, keep_alive: KEEP_ALIVE },
  });
  return after === null ? body : `${body.slice(0, -1)},"search_after":${after}}`;
}

/** Counts documents and finds the ends of their time. */
export const countBody = (query: Query, timeField: string | null): object => ({
  size: 0,
  track_total_hits: true,
  query,
  ...(timeField === null ? {} : { aggs: { from: { min: { field: timeField } }, to: { max: { field: timeField } } } }),
});

/** Values of a field that a chart tells apart: the most frequent ones over all of the time. */
const SERIES_MAX = 4;

/** Counts documents over time; those of each frequent value of a field, too, if one breaks the chart down. */
export function chartBody(
  query: Query,
  timeField: string,
  span: TimeSpan,
  timeZone: string,
  breakdown: string | null,
): object {
  const time = timeBuckets(timeField, span, timeZone);
  const series =
    breakdown === null ? {} : { series: { terms: { field: breakdown, size: SERIES_MAX }, aggs: { time } } };
  return { size: 0, track_total_hits: true, query, aggs: { time, ...series } };
}

/** The aggregation of a chart over time: a bucket also where nothing is. */
export function timeBuckets(
  field: string,
  span: TimeSpan,
  timeZone: string,
  bucketsMax?: number,
): Record<string, unknown> {
  const { interval } = intervalOf(span, bucketsMax);
  const hasBounds = Math.abs(span.from) < 8e15 && Math.abs(span.to) < 8e15;
  return {
    date_histogram: {
      field,
      ...interval,
      time_zone: timeZone,
      min_doc_count: 0,
      ...(hasBounds ? { extended_bounds: { min: span.from, max: span.to } } : {}),
    },
  };
}

/** A bucket of a chart. */
export interface ChartBucket {
  /** Its begin in milliseconds since 1970. */
  readonly at: number;
  readonly count: number;
}

/** Total and buckets of an answer to the two requests above; ends of the time if it tells them. */
export function readChart(answer: unknown): {
  readonly total: number;
  readonly ends: TimeSpan | null;
  readonly buckets: readonly ChartBucket[];
} {
  const { hits, aggregations = {} } = answer as {
    readonly hits?: { readonly total?: { readonly value: number } };
    readonly aggregations?: {
      readonly from?: { readonly value: number | null };
      readonly to?: { readonly value: number | null };
      readonly time?: { readonly buckets: readonly { readonly key: number; readonly doc_count: number }[] };
    };
  };
  const { from, to, time } = aggregations;
  return {
    total: hits?.total?.value ?? 0,
    ends: typeof from?.value === 'number' && typeof to?.value === 'number' ? { from: from.value, to: to.value } : null,
    buckets: (time?.buckets ?? []).map(({ key, doc_count }) => ({ at: key, count: doc_count })),
  };
}

/** Lines of the first page, of each further one, and at most. */
export const LINES = { first: 100, step: 500, most: 10_000 } as const;
/** Text of documents that a page holds at most, in characters; and that one answer is meant to have. */
const TEXT = { most: 64 * 2 ** 20, answer: 8 * 2 ** 20 } as const;

/**
 * How many lines to ask for after `loaded` ones with so many characters: fewer of large documents. 0 at the end, or
 * when the page holds as much as it may.
 */
export function nextLines(loaded: number, chars: number): number {
  if (loaded >= LINES.most || chars >= TEXT.most) return 0;
  const fitting = loaded === 0 ? LINES.step : Math.floor(TEXT.answer / Math.max(1, chars / loaded));
  return Math.max(1, Math.min(LINES.step, LINES.most - loaded, fitting));
}
