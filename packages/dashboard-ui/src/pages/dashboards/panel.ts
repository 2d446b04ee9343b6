import { type Filter, readFilter } from '../../explore/filters.js';
import { instantOf, type TimeRange } from '../../explore/time-range.js';
import type { Language } from '../../explore/search-state.js';

/** What a panel shows. */
export type PanelKind =
  | 'date_histogram'
  | 'terms'
  | 'pie'
  | 'metric'
  | 'gauge'
  | 'table'
  | 'heat_map'
  | 'map'
  | 'search'
  | 'text';

/** Kinds with their names, as they are offered. */
export const KINDS: readonly (readonly [kind: PanelKind, name: string])[] = [
  ['date_histogram', 'Date histogram'],
  ['terms', 'Terms'],
  ['pie', 'Pie'],
  ['metric', 'Metric'],
  ['gauge', 'Gauge'],
  ['table', 'Table'],
  ['heat_map', 'Heat map'],
  ['map', 'Map'],
  ['search', 'Saved search'],
  ['text', 'Text'],
];

/** What is measured of the documents of a bucket. */
export type MeasureOperation = 'count' | 'avg' | 'sum' | 'min' | 'max' | 'cardinality';

/** A measure; all but the count are of a field. */
export interface Measure {
  readonly op: MeasureOperation;
  readonly field: string;
}

/** A part of a dashboard. Members that its kind does not use are empty. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly kind: PanelKind;
  readonly indices: string;
  readonly field: string;
  /** Field whose values are series of a date histogram; empty for none. */
  readonly split: string;
  readonly measure: Measure;
  /** Number at which a gauge is full. */
  readonly goal: number;
  /** Id of a saved search. */
  readonly search: string;
  readonly text: string;
  /** Whether it takes the whole width. */
  readonly isWide: boolean;
}

/** A dashboard: panels, and one range and query over all. */
export interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly range: TimeRange;
  readonly text: string;
  readonly language: Language;
  readonly filters: readonly Filter[];
}

/** Panels of a dashboard at most. */
export const PANELS_MAX = 100;
/** A gauge is full at this number until another one is given. */
export const GOAL = 100;
const COUNT: Measure = { op: 'count', field: '' };
const OPERATIONS: readonly (readonly [op: MeasureOperation, name: string])[] = [
  ['avg', 'Average'],
  ['sum', 'Sum'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['cardinality', 'Unique values'],
];

/** Nothing yet. */
export const EMPTY_DASHBOARD: Dashboard = {
  title: 'New dashboard',
  panels: [],
  range: 'all',
  text: '',
  language: 'kql',
  filters: [],
};

/** Name of a measure: `Count`, `Average of size`. */
export function measureName({ op, field }: Measure): string {
  const name = OPERATIONS.find(([known]) => known === op)?.[1];
  return name === undefined ? 'Count' : `${name} of ${field}`;
}

/** The measure that a name means; null if it means none. */
export function measureOf(name: string): Measure | null {
  const found = /^(.+?) of (.+)$/i.exec(name.trim());
  if (found === null) return /^(?:count|documents|)$/i.test(name.trim()) ? COUNT : null;
  const op = OPERATIONS.find(([, known]) => known.toLowerCase() === found[1]!.toLowerCase())?.[0];
  return op === undefined ? null : { op, field: found[2]! };
}

/** Names of the measures of fields: numbers have all, others unique values alone. */
export const measureNames = (numbers: readonly string[], others: readonly string[]): readonly string[] => [
  'Count',
  ...numbers.flatMap((field) => OPERATIONS.map(([op]) => measureName({ op, field }))),
  ...others.map((field) => measureName({ op: 'cardinality', field })),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The number at which a gauge is full; null for what is none above 0. */
export function goalOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}

/** Reads a panel that somebody saved; null if it is none. */
function readPanel(value: unknown, at: number): Panel | null {
  if (typeof value !== 'object' || value === null) return null;
  const panel = value as Readonly<Record<string, unknown>>;
  const kind = KINDS.find(([known]) => known === panel['kind'])?.[0];
  if (kind === undefined) return null;
  const { op, field } = (panel['measure'] ?? {}) as { readonly op?: unknown; readonly field?: unknown };
  const operation = OPERATIONS.find(([known]) => known === op)?.[0];
  return {
    id: textOf(panel['id']) || `panel-${at}`,
    title: textOf(panel['title']) || KINDS.find(([known]) => known === kind)![1],
    kind,
    indices: textOf(panel['indices']) || '*',
    field: textOf(panel['field']),
    split: textOf(panel['split']),
    measure: operation === undefined || textOf(field) === '' ? COUNT : { op: operation, field: textOf(field) },
    goal: goalOf(panel['goal']) ?? GOAL,
    search: textOf(panel['search']),
    text: textOf(panel['text']),
    isWide: panel['isWide'] === true,
  };
}

/** Reads the attributes of a dashboard; what cannot be read is left out, with two panels of one id the second. */
export function readDashboard(attributes: Readonly<Record<string, unknown>>): Dashboard {
  const { title, panels, range, text, language, filters } = attributes;
  const read = (Array.isArray(panels) ? panels : []).map(readPanel).filter((panel) => panel !== null);
  return {
    title: textOf(title) || 'Untitled',
    panels: [...new Map(read.map((panel) => [panel.id, panel])).values()].slice(0, PANELS_MAX),
    range: readRange(range),
    text: textOf(text),
    language: language === 'lucene' ? 'lucene' : 'kql',
    filters: (Array.isArray(filters) ? filters : []).map(readFilter).filter((filter) => filter !== null),
  };
}

function readRange(value: unknown): TimeRange {
  const { from, to } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const isRange = typeof from === 'string' && typeof to === 'string' && instantOf(from, 0, false) !== null;
  return isRange && instantOf(to, 0, true) !== null ? { from, to } : 'all';
}

/** The list with a panel moved by some places; it stops at the ends. */
export function movedPanel(panels: readonly Panel[], id: string, by: number): readonly Panel[] {
  const at = panels.findIndex((panel) => panel.id === id);
  const to = Math.min(Math.max(at + by, 0), panels.length - 1);
  if (at < 0 || to === at) return panels;
  const others = panels.filter((panel) => panel.id !== id);
  return [...others.slice(0, to), panels[at]!, ...others.slice(to)];
}

/** An id that no panel has. */
export function freeId(panels: readonly Panel[]): string {
  const used = new Set(panels.map(({ id }) => id));
  let number = panels.length + 1;
  while (used.has(`panel-${number}`)) number++;
  return `panel-${number}`;
}
