import { shownZone } from '../state/shown-zone.js';
import { instantAtWall, wallClock } from '../state/zone-calendar.js';

/** A range of time as it is asked for: texts such as `now-15m` and `2024-01-01T12:00`, or all time. */
export type TimeRange = 'all' | { readonly from: string; readonly to: string };

/** A range in milliseconds since 1970; `to` belongs to it. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Ranges that a button chooses; the shortest first. */
export const PRESETS: readonly { readonly name: string; readonly from: string }[] = [
  { name: 'Last 15 minutes', from: 'now-15m' },
  { name: 'Last 24 hours', from: 'now-24h' },
  { name: 'Last 7 days', from: 'now-7d' },
  { name: 'Last 30 days', from: 'now-30d' },
];

/** Name of a range: `Last 24 hours`, `All time`, `now-1h to now`. */
export function rangeName(range: TimeRange): string {
  if (range === 'all') return 'All time';
  const preset = range.to === 'now' ? PRESETS.find(({ from }) => from === range.from) : undefined;
  return preset?.name ?? `${range.from} to ${range.to}`;
}

const MATH = /^now((?:[+-]\d{1,9}[smhdwMy]|\/[smhdwMy])*)$/;
const STEP = /([+-])(\d+)([smhdwMy])|\/([smhdwMy])/g;
const ISO = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;
/** Milliseconds since 1970 that a JavaScript date can be. */
const INSTANT_MAX = 8.64e15;
const MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * The instant that a text means: date math from `now`, a date of a zone or with its own, or milliseconds since 1970.
 * `isEnd` takes the last millisecond of what is rounded or incomplete. Null for a text that is no time.
 */
export function instantOf(text: string, now: number, isEnd: boolean, zone = shownZone.value): number | null {
  const trimmed = text.trim();
  const math = MATH.exec(trimmed);
  const value =
    math !== null
      ? applyMath(math[1]!, now, isEnd, zone)
      : /^-?\d{5,16}$/.test(trimmed)
        ? Number(trimmed)
        : isoInstant(trimmed, isEnd, zone);
  return value === null || !Number.isFinite(value) || Math.abs(value) > INSTANT_MAX ? null : value;
}

function applyMath(steps: string, now: number, isEnd: boolean, zone: string): number {
  let at = now;
  for (const [, sign, amount, unit, rounded] of steps.matchAll(STEP))
    at =
      rounded === undefined
        ? shifted(at, unit!, Number(amount) * (sign === '-' ? -1 : 1), zone)
        : roundedTo(at, rounded, isEnd, zone);
  return at;
}

/** Days and longer units are those of the calendar of a zone: a day may have 23 hours. */
function shifted(at: number, unit: string, amount: number, zone: string): number {
  const fixed = MS[unit];
  if (fixed !== undefined) return at + amount * fixed;
  const wall = wallClock(at, zone);
  if (unit === 'd') wall.setUTCDate(wall.getUTCDate() + amount);
  else if (unit === 'w') wall.setUTCDate(wall.getUTCDate() + 7 * amount);
  else if (unit === 'M') wall.setUTCMonth(wall.getUTCMonth() + amount);
  else wall.setUTCFullYear(wall.getUTCFullYear() + amount);
  return instantAtWall(wall, zone);
}

function roundedTo(at: number, unit: string, isEnd: boolean, zone: string): number {
  const wall = wallClock(at, zone);
  if (unit === 'y') wall.setUTCMonth(0, 1);
  if (unit === 'M') wall.setUTCDate(1);
  if (unit === 'w') wall.setUTCDate(wall.getUTCDate() - ((wall.getUTCDay() + 6) % 7));
  if (unit === 's') wall.setUTCMilliseconds(0);
  else if (unit === 'm') wall.setUTCSeconds(0, 0);
  else if (unit === 'h') wall.setUTCMinutes(0, 0, 0);
  else wall.setUTCHours(0, 0, 0, 0);
  const begin = instantAtWall(wall, zone);
  return isEnd ? shifted(begin, unit, 1, zone) - 1 : begin;
}

function isoInstant(text: string, isEnd: boolean, zoneName: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const millis = Number(`${fraction ?? ''}000`.slice(0, 3));
  const parts = [
    Number(month) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  ] as const;
  const [m, d, h, min, s] = parts;
  const calendar = new Date(Date.UTC(Number(year), m, d));
  if (calendar.getUTCMonth() !== m || calendar.getUTCDate() !== d || h > 23 || min > 59 || s > 59) return null;
  const wall = new Date(Date.UTC(Number(year), m, d, h, min, s, millis));
  const at = zone === undefined ? instantAtWall(wall, zoneName) : wall.getTime() - offsetMs(zone);
  if (!isEnd || fraction !== undefined) return at;
  const unit = day === undefined ? 'M' : hour === undefined ? 'd' : second === undefined ? 'm' : 's';
  return shifted(at, unit, 1, zoneName) - 1;
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone[0] === '-' ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}

/** The instants of a range; null if one of its ends is no time, or they are the wrong way round. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }, now: number): TimeSpan | null {
  const [start, end] = [instantOf(from, now, false), instantOf(to, now, true)];
  return start === null || end === null || start > end ? null : { from: start, to: end };
}

/** An instant as ISO 8601 in UTC, which the cluster and `instantOf` both read. */
export const isoText = (at: number): string => new Date(at).toISOString();

/** Length of the buckets of a chart, as the aggregation takes it. */
export type Interval = { readonly fixed_interval: string } | { readonly calendar_interval: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const fixed = (text: string): Interval => ({ fixed_interval: text });
const calendar = (text: string): Interval => ({ calendar_interval: text });
/** Lengths in milliseconds, and what they are called. */
const INTERVALS: readonly (readonly [ms: number, name: string, interval: Interval])[] = [
  [1, '1 millisecond', fixed('1ms')],
  [10, '10 milliseconds', fixed('10ms')],
  [100, '100 milliseconds', fixed('100ms')],
  [SECOND, '1 second', fixed('1s')],
  [5 * SECOND, '5 seconds', fixed('5s')],
  [10 * SECOND, '10 seconds', fixed('10s')],
  [30 * SECOND, '30 seconds', fixed('30s')],
  [MINUTE, '1 minute', fixed('1m')],
  [5 * MINUTE, '5 minutes', fixed('5m')],
  [10 * MINUTE, '10 minutes', fixed('10m')],
  [30 * MINUTE, '30 minutes', fixed('30m')],
  [HOUR, '1 hour', fixed('1h')],
  [3 * HOUR, '3 hours', fixed('3h')],
  [12 * HOUR, '12 hours', fixed('12h')],
  [DAY, '1 day', calendar('1d')],
  [7 * DAY, '1 week', calendar('1w')],
  [30 * DAY, '1 month', calendar('1M')],
  [91 * DAY, '1 quarter', calendar('1q')],
  [365 * DAY, '1 year', calendar('1y')],
];
/** Buckets of a chart at most, about. */
const BUCKETS_MAX = 60;

/** Length of the buckets of a chart: about so many milliseconds, with the name for people. */
export interface ChartStep {
  readonly ms: number;
  readonly name: string;
  readonly interval: Interval;
}

/** The shortest step that divides a span into few enough buckets. */
export function intervalOf({ from, to }: TimeSpan, bucketsMax = BUCKETS_MAX): ChartStep {
  const found = INTERVALS.find(([ms]) => (to - from) / ms <= bucketsMax);
  if (found !== undefined) return { ms: found[0], name: found[1], interval: found[2] };
  const years = 10 ** Math.ceil(Math.log10((to - from) / (365 * DAY) / bucketsMax));
  return { ms: years * 365 * DAY, name: `${years} years`, interval: fixed(`${years * 365}d`) };
}

/** Units of the calendar by the intervals of charts that count in them, with how many there are of each. */
const CALENDAR: Readonly<Record<string, readonly [unit: string, amount: number]>> = {
  '1d': ['d', 1],
  '1w': ['w', 1],
  '1M': ['M', 1],
  '1q': ['M', 3],
  '1y': ['y', 1],
};

/** Where the bucket of a chart that begins at an instant ends, by the calendar of the shown zone. */
export function bucketEnd(at: number, { interval, ms }: ChartStep): number {
  const unit = 'calendar_interval' in interval ? CALENDAR[interval.calendar_interval] : undefined;
  return unit === undefined ? at + ms : shifted(at, unit[0], unit[1], shownZone.value);
}
