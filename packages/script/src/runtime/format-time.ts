import { kindOf, KIND, numberIn } from './boxes.js';
import { JavaDate } from './java-date.js';
import type { Thrown } from './thrown.js';
import { GregorianCalendar } from './time/gregorian-calendar.js';
import { call, callNumber } from './time/joda.js';
import { TimeValue } from './time/time-value.js';
import { UtcInstant } from './time/utc-instant.js';
import { UtcDate } from './utc-date.js';
import type { Value } from './values.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A moment, or a date or a time alone, as conversions of `%t` read it. */
interface Moment {
  /** Its local time as if it were UTC; `year` is kept apart because it may be beyond a Date. */
  readonly local: Date;
  readonly nanos: number;
  /** Milliseconds since 1970; null for a local time. */
  readonly ms: number | null;
  readonly offsetMs: number | null;
  readonly zone: string | null;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
}

const momentAt = (ms: number, offsetMs: number, zone: string, nanos?: number): Moment => ({
  local: new Date(ms + offsetMs),
  nanos: nanos ?? (((ms % 1000) + 1000) % 1000) * 1_000_000,
  ms,
  offsetMs,
  zone,
  hasDate: true,
  hasTime: true,
});

/** Returns a value of java.time as a moment. */
function momentOfTime(value: TimeValue): Moment {
  const { object } = value;
  const number = (name: string, missing: number): number =>
    typeof object[name] === 'function' ? callNumber(object, name) : missing;
  const local = new Date(0);
  local.setUTCFullYear(number('year', 1970), number('monthValue', 1) - 1, number('dayOfMonth', 1));
  const nanos = number('nano', 0);
  local.setUTCHours(number('hour', 0), number('minute', 0), number('second', 0), Math.floor(nanos / 1e6));
  const hasZone = typeof object['offset'] === 'function';
  const offsetMs = hasZone ? callNumber(call(object, 'offset') as typeof object, 'totalSeconds') * 1000 : null;
  return {
    local,
    nanos,
    ms: offsetMs === null ? null : local.getTime() - offsetMs,
    offsetMs,
    zone:
      typeof object['zone'] === 'function'
        ? String(call(object, 'zone'))
        : hasZone
          ? String(call(object, 'offset'))
          : null,
    hasDate: typeof object['dayOfMonth'] === 'function',
    hasTime: typeof object['hour'] === 'function',
  };
}

/** Returns a value as a moment; null for one that is none. */
function momentOf(value: Value): Moment | null {
  if (value instanceof JavaDate) return momentAt(value.ms, 0, 'UTC');
  if (value instanceof GregorianCalendar) return momentAt(value.ms, value.zone.offsetAt(value.ms), value.zone.id);
  if (value instanceof UtcDate) return momentAt(value.ms, 0, 'Z', value.nano);
  if (value instanceof UtcInstant) return momentAt(value.date.ms, 0, 'Z', value.date.nano);
  if (value instanceof TimeValue) return momentOfTime(value);
  return kindOf(value) === KIND.long ? momentAt(Number(numberIn(value)), 0, 'UTC') : null;
}

const pad = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
const twelve = (hour: number): number => (hour % 12 === 0 ? 12 : hour % 12);

function offsetText({ offsetMs }: Moment): string {
  const minutes = Math.floor(Math.abs(offsetMs!) / 60_000);
  return `${offsetMs! < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
}

function dayOfYear({ local }: Moment): number {
  const start = new Date(0);
  start.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - start.getTime()) / 86_400_000) + 1;
}

type Part = 'date' | 'time' | 'zone' | 'moment';

/** Conversions by their letter: what a moment must have, and the text. */
const LETTERS: Readonly<Record<string, readonly [Part, (moment: Moment) => string]>> = {
  H: ['time', ({ local }) => pad(local.getUTCHours(), 2)],
  I: ['time', ({ local }) => pad(twelve(local.getUTCHours()), 2)],
  k: ['time', ({ local }) => String(local.getUTCHours())],
  l: ['time', ({ local }) => String(twelve(local.getUTCHours()))],
  M: ['time', ({ local }) => pad(local.getUTCMinutes(), 2)],
  S: ['time', ({ local }) => pad(local.getUTCSeconds(), 2)],
  L: ['time', ({ nanos }) => pad(Math.floor(nanos / 1e6), 3)],
  N: ['time', ({ nanos }) => pad(nanos, 9)],
  p: ['time', ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm')],
  z: ['zone', offsetText],
  Z: ['zone', ({ zone }) => zone ?? ''],
  s: ['moment', ({ ms }) => String(Math.floor(ms! / 1000))],
  Q: ['moment', ({ ms }) => String(ms)],
  B: ['date', ({ local }) => MONTHS[local.getUTCMonth()]!],
  b: ['date', ({ local }) => MONTHS[local.getUTCMonth()]!.slice(0, 3)],
  h: ['date', ({ local }) => MONTHS[local.getUTCMonth()]!.slice(0, 3)],
  A: ['date', ({ local }) => DAYS[local.getUTCDay()]!],
  a: ['date', ({ local }) => DAYS[local.getUTCDay()]!.slice(0, 3)],
  C: ['date', ({ local }) => pad(Math.floor(local.getUTCFullYear() / 100), 2)],
  Y: ['date', ({ local }) => pad(local.getUTCFullYear(), 4)],
  y: ['date', ({ local }) => pad(((local.getUTCFullYear() % 100) + 100) % 100, 2)],
  j: ['date', (moment) => pad(dayOfYear(moment), 3)],
  m: ['date', ({ local }) => pad(local.getUTCMonth() + 1, 2)],
  d: ['date', ({ local }) => pad(local.getUTCDate(), 2)],
  e: ['date', ({ local }) => String(local.getUTCDate())],
};

/** Conversions that stand for several. */
const COMPOSED: Readonly<Record<string, string>> = {
  R: 'H:M',
  T: 'H:M:S',
  r: 'I:M:S p',
  D: 'm/d/y',
  F: 'Y-m-d',
  c: 'a b d T Z Y',
};

/** Whether `%t` knows a letter. */
export const isTimeLetter = (letter: string): boolean =>
  Object.hasOwn(LETTERS, letter) || Object.hasOwn(COMPOSED, letter);

/** Formats a date by a letter behind `%t`. Source: the specification of java.util.Formatter. */
export function formatTime(letter: string, value: Value, mismatch: () => Thrown): string {
  const moment = momentOf(value);
  if (moment === null) throw mismatch();
  return converted(letter, moment, mismatch);
}

function converted(letter: string, moment: Moment, mismatch: () => Thrown): string {
  const composed = COMPOSED[letter];
  if (composed !== undefined) {
    const text = [...composed].map((one) => (isTimeLetter(one) ? converted(one, moment, mismatch) : one)).join('');
    return letter === 'r' ? text.toUpperCase() : text;
  }
  const [part, text] = LETTERS[letter]!;
  const has = { date: moment.hasDate, time: moment.hasTime, zone: moment.zone !== null, moment: moment.ms !== null };
  if (has[part]) return text(moment);
  throw mismatch();
}
