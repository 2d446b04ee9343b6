import { parseMediaType } from '../format/media-types.js';
import { matchesWildcard } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { type Cell, cellText, compareCells, type Units } from './cell.js';

/** A column of a table whose rows are of the type `Row`. */
export interface Column<Row> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Whether it is shown without the parameter `h`. */
  readonly isDefault: boolean;
  readonly align?: 'right';
  readonly value: (row: Row) => Cell;
}

/** Parameters of all tables. */
export const CAT_PARAMETERS: readonly string[] = [
  'h',
  's',
  'v',
  'help',
  'bytes',
  'time',
  'size',
  'pri',
  'local',
  'master_timeout',
  'ts',
];

type Flags = '' | 'default' | 'right' | 'default right';

/**
 * Creates a column from one line: `column('docs.count', 'dc,docsCount', 'available docs', 'default right', row => …)`.
 */
export function column<Row>(
  name: string,
  aliases: string,
  description: string,
  flags: Flags,
  value: (row: Row) => Cell,
): Column<Row> {
  const base = {
    name,
    aliases: aliases === '' ? [] : aliases.split(','),
    description,
    isDefault: flags.startsWith('default'),
    value,
  };
  return flags.endsWith('right') ? { ...base, align: 'right' } : base;
}

interface Shown<Row> {
  readonly column: Column<Row>;
  /** Heading: the column's name as requested. */
  readonly heading: string;
}

function matching<Row>(columns: readonly Column<Row>[], wanted: string): Shown<Row>[] {
  const exact =
    columns.find((candidate) => candidate.name === wanted) ??
    columns.find((candidate) => candidate.aliases.includes(wanted));
  if (exact) return [{ column: exact, heading: wanted }];
  if (!wanted.includes('*')) return [];
  return columns
    .filter(
      (candidate) =>
        matchesWildcard(wanted, candidate.name) || candidate.aliases.some((alias) => matchesWildcard(wanted, alias)),
    )
    .map((found) => ({ column: found, heading: found.name }));
}

function chooseColumns<Row>(columns: readonly Column<Row>[], request: RestRequest): Shown<Row>[] {
  const wanted = request.params.list('h');
  if (!wanted)
    return columns.filter((candidate) => candidate.isDefault).map((found) => ({ column: found, heading: found.name }));
  const shown = wanted.flatMap((name) => matching(columns, name.trim()));
  return shown.filter((item, i) => shown.findIndex((other) => other.heading === item.heading) === i);
}

interface SortKey<Row> {
  readonly column: Column<Row>;
  readonly descending: boolean;
}

function sortKeys<Row>(columns: readonly Column<Row>[], request: RestRequest): SortKey<Row>[] {
  return (request.params.list('s') ?? []).map((text) => {
    const [name = '', order] = text.split(':');
    const found = columns.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
    if (!found) throw errors.unsupportedOperation(`Unable to sort by unknown sort key \`${name}\``);
    return { column: found, descending: order === 'desc' };
  });
}

function sortRows<Row>(rows: readonly Row[], keys: readonly SortKey<Row>[]): readonly Row[] {
  if (keys.length === 0) return rows;
  return [...rows].sort((a, b) => {
    for (const { column: by, descending } of keys) {
      const order = compareCells(by.value(a), by.value(b));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

function renderText<Row>(shown: readonly Shown<Row>[], rows: readonly Row[], units: Units, verbose: boolean): string {
  const lines = rows.map((row) => shown.map(({ column: { value } }) => cellText(value(row), units) ?? ''));
  const headings = shown.map(({ heading }) => heading);
  const all = verbose ? [headings, ...lines] : lines;
  const widths = shown.map((_, i) => Math.max(0, ...all.map((line) => line[i]!.length)));
  const last = shown.length - 1;
  const cell = (text: string, i: number): string => {
    const right = shown[i]!.column.align === 'right';
    return i === last && !right ? text : pad(text, widths[i]!, right);
  };
  return all.map((line) => `${line.map(cell).join(' ')}\n`).join('');
}

function renderHelp<Row>(columns: readonly Column<Row>[]): string {
  const rows = columns.map(({ name, aliases, description }) => [name, aliases.join(','), description]);
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows.map((row) => `${row.map((text, i) => text.padEnd(widths[i]!)).join(' | ')}\n`).join('');
}

/** Whether JSON, YAML or CBOR is requested, by `format` or else by `Accept`. */
function wantsStructure(request: RestRequest): boolean {
  const format = request.params.text('format');
  if (format !== null) return ['json', 'yaml', 'cbor'].includes(format.toLowerCase());
  const accepted = parseMediaType(String(request.headers['accept'] ?? ''));
  return accepted !== null && accepted.format !== 'text';
}

function renderRows<Row>(
  shown: readonly Shown<Row>[],
  rows: readonly Row[],
  units: Units,
): Record<string, string | null>[] {
  return rows.map((row) =>
    Object.fromEntries(shown.map(({ column: { value }, heading }) => [heading, cellText(value(row), units)])),
  );
}

/** Renders rows as requested: columns `h`, order `s`, text or JSON. */
export function renderTable<Row>(
  request: RestRequest,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): RestResponse {
  const shown = chooseColumns(columns, request);
  const sorted = sortRows(rows, sortKeys(columns, request));
  const units: Units = { bytes: request.params.text('bytes'), time: request.params.text('time') };
  if (wantsStructure(request)) return { status: 200, json: renderRows(shown, sorted, units) };
  return { status: 200, text: renderText(shown, sorted, units, request.params.boolean('v', false)) };
}

/** A `_cat` table. */
export interface CatTable<Row> {
  readonly name: string;
  readonly paths: readonly string[];
  readonly privilege: string;
  readonly also?: readonly string[];
  readonly parameters?: readonly string[];
  /** Parameters of other tables that this one refuses, as in 8.12, which does not read them here. */
  readonly refuses?: readonly ('local' | 'master_timeout')[];
  readonly columns: readonly Column<Row>[];
  rows(request: RestRequest, services: Services): Promise<readonly Row[]> | readonly Row[];
}

/** Routes of a table; `help` lists the columns without reading rows. */
export function catRoutes<Row>(table: CatTable<Row>): Route<Services>[] {
  const refused = new Set<string>(table.refuses);
  const parameters = [...CAT_PARAMETERS.filter((name) => !refused.has(name)), ...(table.parameters ?? [])];
  return table.paths.map((path) => ({
    methods: ['GET'],
    path,
    name: `cat.${table.name}`,
    body: 'none',
    privilege: table.privilege,
    ...(table.also ? { also: table.also } : {}),
    parameters,
    async handle(request, services) {
      if (request.params.boolean('help', false)) return { status: 200, text: renderHelp(table.columns) };
      return renderTable(request, table.columns, await table.rows(request, services));
    },
  }));
}
