/** Types that are offered for a column, the narrow ones first. */
export const COLUMN_TYPES = ['long', 'double', 'boolean', 'date', 'ip', 'geo_point', 'keyword', 'text'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A field of a file. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Format of dates as the cluster reads them; null for those that it reads by itself. */
  readonly format: string | null;
}

const WHOLE = /^-?(?:0|[1-9]\d{0,18})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const ISO_DATE = new RegExp(`^${DAY}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?$`);
const SPACED_DATE = new RegExp(`^${DAY} \\d{2}:\\d{2}:\\d{2}$`);
const IP = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
/** Longest text that is a value rather than prose. */
const KEYWORD_CHARACTERS_MAX = 100;

const isLong = (text: string): boolean => WHOLE.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) < 2n ** 63n;

const TESTS: readonly (readonly [type: ColumnType, format: string | null, is: (text: string) => boolean])[] = [
  ['boolean', null, (text) => text === 'true' || text === 'false'],
  ['long', null, isLong],
  ['double', null, (text) => DECIMAL.test(text)],
  ['date', null, (text) => ISO_DATE.test(text)],
  ['date', 'yyyy-MM-dd HH:mm:ss', (text) => SPACED_DATE.test(text)],
  ['ip', null, (text) => IP.test(text)],
  ['keyword', null, (text) => text.length <= KEYWORD_CHARACTERS_MAX && text.split(/\s+/).length <= 5],
];

/** The narrowest type that all values of a column have; empty ones say nothing. */
export function typeOfValues(name: string, values: readonly string[]): Column {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return { name, type: 'keyword', format: null };
  const found = TESTS.find(([, , is]) => given.every(is));
  return { name, type: found?.[0] ?? 'text', format: found?.[1] ?? null };
}

/** Names of columns without blanks at their ends, empty or double ones numbered. */
export function columnNames(header: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return header.map((cell, i) => {
    const plain = cell.replace(/^\uFEFF/, '').trim() || `column${i + 1}`;
    let name = plain;
    for (let n = 2; seen.has(name); n++) name = `${plain}_${n}`;
    seen.add(name);
    return name;
  });
}

/**
 * A row as the JSON of a document. Numbers are written as they are in the file, so that they keep all digits; empty
 * cells are left out.
 */
export function documentOf(columns: readonly Column[], cells: readonly string[]): string {
  const members = columns.flatMap(({ name, type }, i) => {
    const cell = cells[i] ?? '';
    if (cell === '') return [];
    const isBare =
      ((type === 'long' || type === 'double') && DECIMAL.test(cell)) ||
      (type === 'boolean' && /^(?:true|false)$/.test(cell));
    return [`${JSON.stringify(name)}:${isBare ? cell : JSON.stringify(cell)}`];
  });
  return `{${members.join(',')}}`;
}

/** Mapping of the columns. */
export const mappingOf = (columns: readonly Column[]): object => ({
  properties: Object.fromEntries(
    columns.map(({ name, type, format }) => [
      name,
      { type, ...(type === 'date' && format !== null ? { format } : {}) },
    ]),
  ),
});
