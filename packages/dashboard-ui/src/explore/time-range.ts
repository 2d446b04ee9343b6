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
 * The instant that a text means: date math from `now`, a date of the local zone or with its own, or milliseconds since
 * 1970. `isEnd` takes the last millisecond of what is rounded or incomplete. Null for a text that is no time.
 */
export function instantOf(text: string, now: number, isEnd: boolean): number | null {
  const trimmed = text.trim();
  const math = MATH.exec(trimmed);
  const value =
    math !== null
      ? applyMath(math[1]!, now, isEnd)
      : /^-?\d{5,16}$/.test(trimmed)
        ? Number(trimmed)
        : isoInstant(trimmed, isEnd);
  return value === null || !Number.isFinite(value) || Math.abs(value) > INSTANT_MAX ? null : value;
}

function applyMath(steps: string, now: number, isEnd: boolean): number {
  let at = now;
  for (const [, sign, amount, unit, rounded] of steps.matchAll(STEP))
    at =
      rounded === undefined
        ? shifted(at, unit!, Number(amount) * (sign === '-' ? -1 : 1))
        : roundedTo(at, rounded, isEnd);
  return at;
}

/** Days and longer units are those of the local calendar: a day may have 23 hours. */
function shifted(at: number, unit: string, amount: number): number {
  const fixed = MS[unit];
  if (fixed !== undefined) return at + amount * fixed;
  const date = new Date(at);
  if (unit === 'd') date.setDate(date.getDate() + amount);
  else if (unit === 'w') date.setDate(date.getDate() + 7 * amount);
  else if (unit === 'M') date.setMonth(date.getMonth() + amount);
  else date.setFullYear(date.getFullYear() + amount);
  return date.getTime();
}

function roundedTo(at: number, unit: string, isEnd: boolean): number {
  const date = new Date(at);
  if (unit === 'y') date.setMonth(0, 1);
  if (unit === 'M') date.setDate(1);
  if (unit === 'w') date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  if (unit === 's') date.setMilliseconds(0);
  else if (unit === 'm') date.setSeconds(0, 0);
  else if (unit === 'h') date.setMinutes(0, 0, 0);
  else date.setHours(0, 0, 0, 0);
  return isEnd ? shifted(date.getTime(), unit, 1) - 1 : date.getTime();
}

function isoInstant(text: string, isEnd: boolean): number | null {
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
  const at =
    zone === undefined
      ? new Date(Number(year), m, d, h, min, s, millis).getTime()
      : Date.UTC(Number(year), m, d, h, min, s, millis) - offsetMs(zone);
  if (!isEnd || fraction !== undefined) return at;
  const unit = day === undefined ? 'M' : hour === undefined ? 'd' : second === undefined ? 'm' : 's';
  return shifted(at, unit, 1) - 1;
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

/** The shortest interval that divides a span into few enough buckets. */
export function intervalOf(
  { from, to }: TimeSpan,
  bucketsMax = BUCKETS_MAX,
): {
  readonly ms: number;
  readonly name: string;
  readonly interval: Interval;
} {
  const found = INTERVALS.find(([ms]) => (to - from) / ms <= bucketsMax);
  if (found !== undefined) return { ms: found[0], name: found[1], interval: found[2] };
  const years = 10 ** Math.ceil(Math.log10((to - from) / (365 * DAY) / bucketsMax));
  return { ms: years * 365 * DAY, name: `${years} years`, interval: fixed(`${years * 365}d`) };
}
