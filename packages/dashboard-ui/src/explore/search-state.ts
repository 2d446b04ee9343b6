import { zoneNamed } from '../state/zone-calendar.js';
import { type ColumnWidths, readWidths, widthsText } from './column-widths.js';
import { type Filter, FILTERS_MAX, readFilter } from './filters.js';
import { instantOf, type TimeRange } from './time-range.js';

/** Language of a query. */
export type Language = 'kql' | 'lucene';

/** Order of documents. */
export interface Sort {
  readonly field: string;
  readonly isDown: boolean;
}

/** What is searched: all of it is in the address, and defaults are left out of it. */
export interface SearchState {
  /** Name or pattern of indices; null until one is chosen. */
  readonly indices: string | null;
  readonly text: string;
  readonly language: Language;
  /** Null: the first range follows the data. */
  readonly range: TimeRange | null;
  /** Zone of calendars and shown times; null: that of the settings. */
  readonly timeZone: string | null;
  /** Field whose values break the chart down; null for none. */
  readonly breakdown: string | null;
  /** Field of time; null: the one that fits; empty: none. */
  readonly timeField: string | null;
  readonly columns: readonly string[];
  /** Widths of columns, that of time among them, which somebody chose. */
  readonly widths: ColumnWidths;
  readonly sort: Sort | null;
  readonly filters: readonly Filter[];
}

/** Nothing chosen yet. */
export const EMPTY_SEARCH: SearchState = {
  indices: null,
  text: '',
  language: 'kql',
  range: null,
  timeZone: null,
  breakdown: null,
  timeField: null,
  columns: [],
  widths: {},
  sort: null,
  filters: [],
};

/** Columns at once. */
const COLUMNS_MAX = 50;

/** Reads the state from an address. `ignored` names parts that could not be read. */
export function readSearch(query: URLSearchParams): {
  readonly state: SearchState;
  readonly ignored: readonly string[];
} {
  const ignored: string[] = [];
  const language = query.get('lang') ?? 'kql';
  if (language !== 'kql' && language !== 'lucene') ignored.push('lang');
  const state: SearchState = {
    indices: query.get('i')?.trim() || null,
    text: query.get('q') ?? '',
    language: language === 'lucene' ? 'lucene' : 'kql',
    range: readRange(query, ignored),
    timeZone: readZone(query.get('tz'), ignored),
    breakdown: query.get('by')?.trim() || null,
    timeField: query.get('time'),
    columns: readColumns(query.get('cols'), ignored),
    widths: readAddressWidths(query.get('w'), ignored),
    sort: readSort(query.get('sort'), ignored),
    filters: readFilters(query.get('f'), ignored),
  };
  return { state, ignored };
}

function readRange(query: URLSearchParams, ignored: string[]): TimeRange | null {
  const [from, to] = [query.get('from'), query.get('to')];
  if (from === null && to === null) return null;
  if (from === 'all') return 'all';
  const range = { from: from ?? 'now-15m', to: to ?? 'now' };
  if (instantOf(range.from, 0, false) !== null && instantOf(range.to, 0, true) !== null) return range;
  ignored.push('from, to');
  return null;
}

function readZone(text: string | null, ignored: string[]): string | null {
  const zone = text === null ? null : zoneNamed(text);
  if (text !== null && zone === null) ignored.push('tz');
  return zone;
}

function readColumns(text: string | null, ignored: string[]): readonly string[] {
  if (text === null || text === '') return [];
  try {
    const columns = [...new Set(text.split(',').filter(Boolean).map(decodeURIComponent))];
    if (columns.length > COLUMNS_MAX) ignored.push(`cols beyond ${COLUMNS_MAX}`);
    return columns.slice(0, COLUMNS_MAX);
  } catch {
    ignored.push('cols');
    return [];
  }
}

function readAddressWidths(text: string | null, ignored: string[]): ColumnWidths {
  const widths = readWidths(text ?? '');
  if (widths === null) ignored.push('w');
  return widths ?? {};
}

function readSort(text: string | null, ignored: string[]): Sort | null {
  if (text === null) return null;
  const found = /^(.+):(asc|desc)$/s.exec(text);
  if (found !== null) return { field: found[1]!, isDown: found[2] === 'desc' };
  ignored.push('sort');
  return null;
}

function readFilters(text: string | null, ignored: string[]): readonly Filter[] {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new SyntaxError('no list');
    const filters = list.map(readFilter);
    if (filters.includes(null) || filters.length > FILTERS_MAX) ignored.push('a part of f');
    return filters.filter((filter) => filter !== null).slice(0, FILTERS_MAX);
  } catch {
    ignored.push('f');
    return [];
  }
}

const commaSafe = (name: string): string => name.replace(/[%,]/g, encodeURIComponent);

/** Writes the state as the query of an address. */
export function searchQuery(state: SearchState): URLSearchParams {
  const query = new URLSearchParams();
  const put = (name: string, value: string | null): void => {
    if (value !== null) query.set(name, value);
  };
  put('i', state.indices);
  put('q', state.text || null);
  put('lang', state.language === 'kql' ? null : state.language);
  if (state.range !== null) {
    put('from', state.range === 'all' ? 'all' : state.range.from);
    put('to', state.range === 'all' ? null : state.range.to);
  }
  put('tz', state.timeZone);
  put('by', state.breakdown);
  put('time', state.timeField);
  put('cols', state.columns.map(commaSafe).join(',') || null);
  put('w', widthsText(state.widths) || null);
  put('sort', state.sort === null ? null : `${state.sort.field}:${state.sort.isDown ? 'desc' : 'asc'}`);
  put('f', state.filters.length === 0 ? null : JSON.stringify(state.filters));
  return query;
}
