import { formatByteSize, formatTimeValue } from '@shoal/values';

/** A value of a table: text, a number, or a size or duration, which is printed in the requested unit. Null is blank. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly bytes: number }
  | { readonly millis: number }
  | { readonly percent: number };

/** A cell with a size in bytes; blank for null and undefined. */
export function bytes(value: number | null | undefined): Cell {
  return value === null || value === undefined ? null : { bytes: value };
}

/** A cell with a duration in milliseconds; blank for null and undefined. */
export function millis(value: number | null | undefined): Cell {
  return value === null || value === undefined ? null : { millis: value };
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
};
const TIME_UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  micros: 0.001,
  nanos: 0.000001,
};

/** Requested units; null for the largest unit that fits. */
export interface Units {
  readonly bytes: string | null;
  readonly time: string | null;
}

function inUnit(
  value: number,
  unit: string | null,
  units: Readonly<Record<string, number>>,
  format: (value: number) => string,
): string {
  const size = unit === null || !Object.hasOwn(units, unit) ? undefined : units[unit];
  return size === undefined ? format(value) : String(Math.floor(value / size));
}

/** Formats a cell; null stays null, for JSON. */
export function cellText(cell: Cell, units: Units): string | null {
  if (cell === null || typeof cell !== 'object') return cell === null ? null : String(cell);
  if ('bytes' in cell) return inUnit(cell.bytes, units.bytes, BYTE_UNITS, formatByteSize);
  if ('millis' in cell) return inUnit(cell.millis, units.time, TIME_UNITS, formatTimeValue);
  return `${cell.percent.toFixed(1)}%`;
}

function sortKey(cell: Cell): string | number | null {
  if (cell === null || typeof cell !== 'object') return typeof cell === 'boolean' ? String(cell) : cell;
  if ('bytes' in cell) return cell.bytes;
  return 'millis' in cell ? cell.millis : cell.percent;
}

/** Compares cells of one column; blanks come first. */
export function compareCells(a: Cell, b: Cell): number {
  const [x, y] = [sortKey(a), sortKey(b)];
  if (x === y) return 0;
  if (x === null || y === null) return x === null ? -1 : 1;
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  return String(x) < String(y) ? -1 : 1;
}
