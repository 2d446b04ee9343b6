import { errors } from '@shoal/errors';

/** A time zone. Offsets are milliseconds to add to UTC for local time. */
export interface Zone {
  /** The id as it was given: `UTC`, `+01:00`, `Europe/Paris`. */
  readonly id: string;
  /** Offset of a zone that has only one; else null. */
  readonly fixedOffset: number | null;
  /** Offset at a moment. */
  offsetAt(utcMs: number): number;
  /**
   * A moment up to `utcMs` from which the offset is constant until `utcMs`: the last transition, or the start of the
   * year if that is later. -Infinity in zones with a fixed offset.
   */
  segmentStart(utcMs: number): number;
  /**
   * A moment after `utcMs` until which (exclusive) the offset is constant: the next transition, or the end of the year
   * if that is earlier. Infinity in zones with a fixed offset.
   */
  segmentEnd(utcMs: number): number;
}

const fixedZone = (id: string, offset: number): Zone => ({
  id,
  fixedOffset: offset,
  offsetAt: () => offset,
  segmentStart: () => Number.NEGATIVE_INFINITY,
  segmentEnd: () => Number.POSITIVE_INFINITY,
});

/** Coordinated universal time. */
export const UTC: Zone = fixedZone('UTC', 0);

const OFFSET = /^([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/;

/**
 * Parses an offset (`+1`, `+01`, `+0100`, `+01:00`, `+01:00:30`) to milliseconds; null if it is none or over 18 hours.
 */
export function parseOffset(text: string): number | null {
  const match = OFFSET.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  if (minutes > 59 || seconds > 59) return null;
  const size = (hours * 3600 + minutes * 60 + seconds) * 1000;
  return size > 18 * 3_600_000 ? null : match[1] === '-' ? -size : size;
}

/** Formats an offset in milliseconds: `+01:30`, `-05:00`, with seconds if they are not 0; `Z` for 0. */
export function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const total = Math.abs(offset) / 1000;
  const pad = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  const seconds = total % 60 === 0 ? '' : `:${pad(total % 60)}`;
  return `${offset < 0 ? '-' : '+'}${pad(total / 3600)}:${pad((total / 60) % 60)}${seconds}`;
}

/** Offsets of one zone over one year: `offsets[i]` is in force from `starts[i]` (UTC milliseconds) on. */
interface YearTable {
  readonly starts: number[];
  readonly offsets: number[];
}

/** Java's short zone ids (`ZoneId.SHORT_IDS`) that an `Intl` may not know or may take for another zone. */
const SHORT_IDS = new Map<string, string>([
  ['PST', 'America/Los_Angeles'],
  ['CST', 'America/Chicago'],
  ['IST', 'Asia/Kolkata'],
  ['JST', 'Asia/Tokyo'],
  ['CTT', 'Asia/Shanghai'],
  ['AST', 'America/Anchorage'],
  ['ECT', 'Europe/Paris'],
  ['ACT', 'Australia/Darwin'],
  ['AET', 'Australia/Sydney'],
  ['NST', 'Pacific/Auckland'],
]);

function intlFormat(id: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: SHORT_IDS.get(id) ?? id,
      timeZoneName: 'longOffset',
      year: 'numeric',
    });
  } catch {
    return null;
  }
}

/** Offset at a moment by `Intl`. Takes microseconds, so it is called only to build tables. */
function intlOffset(format: Intl.DateTimeFormat, utcMs: number): number {
  const text = format.format(utcMs);
  return parseOffset(text.slice(text.lastIndexOf('GMT') + 3).replace('−', '-')) ?? 0;
}

/** First millisecond in (from, to] with `offset`, the offset at `to`, by bisection. */
function bisect(format: Intl.DateTimeFormat, from: number, to: number, offset: number): number {
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (intlOffset(format, middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

/** Distance of the moments at which a year is probed for another offset. */
const PROBE_MS = 14 * 86_400_000;

function buildYear(format: Intl.DateTimeFormat, year: number): YearTable {
  const from = Date.UTC(year, 0, 1);
  const to = Date.UTC(year + 1, 0, 1);
  const table: YearTable = { starts: [from], offsets: [intlOffset(format, from)] };
  for (let at = from; at < to; at += PROBE_MS) {
    const end = Math.min(at + PROBE_MS, to);
    const offset = intlOffset(format, end);
    if (offset === table.offsets.at(-1)) continue;
    table.starts.push(bisect(format, at, end, offset));
    table.offsets.push(offset);
  }
  return table;
}

/**
 * Limits of the years that have tables: other years use the nearest table, so tables are few and within `Intl`'s range.
 */
const YEAR_MIN = 1850;
const YEAR_MAX = 2200;
const YEAR_MS_MEAN = 365.2425 * 86_400_000;

function regionZone(id: string, format: Intl.DateTimeFormat): Zone {
  const years = new Map<number, YearTable>();
  const segment = { start: 0, end: 0, offset: 0 };
  const find = (utcMs: number): void => {
    const year = Math.min(
      YEAR_MAX,
      Math.max(YEAR_MIN, new Date(Math.floor(utcMs)).getUTCFullYear() || 1970 + Math.floor(utcMs / YEAR_MS_MEAN)),
    );
    let table = years.get(year);
    if (!table) years.set(year, (table = buildYear(format, year)));
    let i = table.starts.length - 1;
    while (i > 0 && table.starts[i]! > utcMs) i--;
    segment.start = year === YEAR_MIN && i === 0 ? Number.NEGATIVE_INFINITY : table.starts[i]!;
    segment.end = table.starts[i + 1] ?? (year === YEAR_MAX ? Number.POSITIVE_INFINITY : Date.UTC(year + 1, 0, 1));
    segment.offset = table.offsets[i]!;
  };
  const locate = (utcMs: number): typeof segment => {
    if (!(utcMs >= segment.start && utcMs < segment.end)) find(utcMs);
    return segment;
  };
  return {
    id,
    fixedOffset: null,
    offsetAt: (utcMs) => locate(utcMs).offset,
    segmentStart: (utcMs) => locate(utcMs).start,
    segmentEnd: (utcMs) => locate(utcMs).end,
  };
}

/**
 * Zone of an id: `Z`, `UTC`, `GMT`, an offset (`+01:00`, `-0330`, `UTC+2`) or a region (`Europe/Paris`). Transition
 * tables of regions are built on first use, one for each year, and live as long as the zone. Throws date_time_exception
 * or zone_rules_exception.
 */
export function timeZone(id: string): Zone {
  if (id === 'Z' || id === 'UTC' || id === 'GMT' || id === 'UT') return fixedZone(id, 0);
  const offsetText = /^(?:UTC|GMT|UT)?([+-].*)$/.exec(id)?.[1];
  if (offsetText !== undefined) {
    const offset = parseOffset(offsetText);
    if (offset === null) throw errors.dateTime(`Invalid ID for offset-based ZoneId: ${id}`);
    return fixedZone(id, offset);
  }
  if (id.length <= 1) throw errors.dateTime(`Invalid ID for ZoneOffset, invalid format: ${id}`);
  if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id))
    throw errors.dateTime(`Invalid ID for region-based ZoneId, invalid format: ${id}`);
  const format = intlFormat(id);
  if (!format) throw errors.zoneRules(`Unknown time-zone ID: ${id}`);
  return regionZone(id, format);
}

/**
 * UTC moment of a local time, both in milliseconds. A local time that exists twice gives the earlier moment; one that
 * is skipped when clocks go forward gives the moment of the transition.
 */
export function localToUtc(zone: Zone, localMs: number): number {
  if (zone.fixedOffset !== null) return localMs - zone.fixedOffset;
  const before = zone.offsetAt(localMs - 86_400_000);
  const early = localMs - before;
  if (zone.offsetAt(early) === before) return early;
  const after = zone.offsetAt(localMs + 86_400_000);
  const late = localMs - after;
  if (zone.offsetAt(late) === after) return late;
  return zone.segmentStart(early);
}
