import { boundWidth, type ColumnWidths } from './column-widths.js';
import { readFilter } from './filters.js';
import { EMPTY_SEARCH, type SearchState, type Sort } from './search-state.js';
import { instantOf, type TimeRange } from './time-range.js';

/** Attributes of a saved search; those of an import of Kibana's files are among them. */
export function savedSearchOf(state: SearchState & { readonly indices: string }, title: string): object {
  const { indices, text, language, columns, widths, sort, filters, range, timeField, breakdown } = state;
  return {
    title,
    index: indices,
    query: text,
    language: language === 'kql' ? 'kuery' : 'lucene',
    columns,
    ...(Object.keys(widths).length === 0 ? {} : { grid: gridOf(widths) }),
    sort: sort === null ? [] : [[sort.field, sort.isDown ? 'desc' : 'asc']],
    filters,
    ...(range === null ? {} : { range }),
    ...(timeField === null ? {} : { timeField }),
    ...(breakdown === null ? {} : { breakdownField: breakdown }),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The search of attributes that somebody saved or imported; what cannot be read is left out. */
export function readSavedSearch(attributes: Readonly<Record<string, unknown>>): SearchState {
  return {
    ...EMPTY_SEARCH,
    indices: text(attributes['index']) || null,
    text: text(attributes['query']),
    language: attributes['language'] === 'lucene' ? 'lucene' : 'kql',
    range: readRange(attributes['range']),
    timeField: typeof attributes['timeField'] === 'string' ? attributes['timeField'] : null,
    breakdown: text(attributes['breakdownField']) || null,
    columns: list(attributes['columns']).filter((one): one is string => typeof one === 'string' && one !== ''),
    widths: readGrid(attributes['grid']),
    sort: readSort(attributes['sort']),
    filters: list(attributes['filters'])
      .map(readFilter)
      .filter((filter) => filter !== null),
  };
}

function readRange(value: unknown): TimeRange | null {
  if (value === 'all') return 'all';
  const { from, to } = (value ?? {}) as { readonly from?: unknown; readonly to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  return instantOf(from, 0, false) === null || instantOf(to, 0, true) === null ? null : { from, to };
}

/** Widths as Kibana keeps them: `{"columns": {"field": {"width": 200}}}`. */
function gridOf(widths: ColumnWidths): object {
  return { columns: Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, { width }])) };
}

function readGrid(value: unknown): ColumnWidths {
  const { columns } = (value ?? {}) as { readonly columns?: unknown };
  const entries = Object.entries((columns ?? {}) as Readonly<Record<string, { readonly width?: unknown } | null>>);
  const withWidth = entries.flatMap(([name, column]) =>
    typeof column?.width === 'number' ? [[name, boundWidth(column.width)] as const] : [],
  );
  return Object.fromEntries(withWidth);
}

/** Kibana keeps `[["field","desc"]]`, older files `["field","desc"]`. */
function readSort(value: unknown): Sort | null {
  const outer = list(value);
  const [field, order] = Array.isArray(outer[0]) ? outer[0] : outer;
  return typeof field === 'string' ? { field, isDown: order === 'desc' } : null;
}
