import { errors } from '@shoal/errors';
import { daysFromCivil, daysInMonth, isLeapYear } from './civil.kernel.js';
import { localToUtc, type Zone } from './zone.js';

/** Index of each date field in `Fields.values`. */
export const FIELD = {
  year: 0,
  month: 1,
  day: 2,
  dayOfYear: 3,
  weekYear: 4,
  week: 5,
  weekday: 6,
  hour: 7,
  minute: 8,
  second: 9,
  nano: 10,
  halfDay: 11,
  hourOfHalf: 12,
  quarter: 13,
  era: 14,
  milliOfDay: 15,
  nanoOfDay: 16,
  epochMillis: 17,
  /** Nanoseconds after `epochMillis`, 0-999,999. */
  epochNanos: 18,
  offset: 19,
} as const;

const FIELD_COUNT = 20;

const MONTH_NAMES = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];

/** Fields that a parser read from a text. */
export interface Fields {
  /** Values by `FIELD`; NaN for fields that the text does not have. */
  readonly values: Float64Array;
  /** Region that the text names, or null. */
  zone: Zone | null;
}

/** Fields before parsing. */
export function emptyFields(): Fields {
  return { values: new Float64Array(FIELD_COUNT).fill(Number.NaN), zone: null };
}

const or = (value: number, fallback: number): number => (Number.isNaN(value) ? fallback : value);

/** Monday of week 1 of an ISO week year, in days since 1970-01-01. */
export function weekYearStart(weekYear: number): number {
  const january4 = daysFromCivil(weekYear, 1, 4);
  return january4 - ((((january4 + 3) % 7) + 7) % 7);
}

function yearOf(v: Float64Array): number {
  const year = or(v[FIELD.year]!, 1970);
  return v[FIELD.era] === 0 ? 1 - year : year;
}

function weekDays(v: Float64Array): number {
  return (
    weekYearStart(or(v[FIELD.weekYear]!, yearOf(v))) + (or(v[FIELD.week]!, 1) - 1) * 7 + or(v[FIELD.weekday]!, 1) - 1
  );
}

function civilDays(v: Float64Array): number {
  const year = yearOf(v);
  const month = or(v[FIELD.month]!, Number.isNaN(v[FIELD.quarter]!) ? 1 : v[FIELD.quarter]! * 3 - 2);
  const day = or(v[FIELD.day]!, 1);
  if (day > daysInMonth(year, month)) {
    const reason =
      month === 2 && day === 29
        ? `Invalid date 'February 29' as '${year}' is not a leap year`
        : `Invalid date '${MONTH_NAMES[month - 1]} ${day}'`;
    throw errors.dateTime(reason);
  }
  return daysFromCivil(year, month, day);
}

function days(v: Float64Array): number {
  if (!Number.isNaN(v[FIELD.weekYear]!) || !Number.isNaN(v[FIELD.week]!)) return weekDays(v);
  if (Number.isNaN(v[FIELD.dayOfYear]!)) return civilDays(v);
  const year = yearOf(v);
  if (v[FIELD.dayOfYear]! > (isLeapYear(year) ? 366 : 365))
    throw errors.dateTime(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`);
  return daysFromCivil(year, 1, 1) + v[FIELD.dayOfYear]! - 1;
}

function hours(v: Float64Array, roundUp: boolean): number {
  if (!Number.isNaN(v[FIELD.hour]!)) return v[FIELD.hour]!;
  if (Number.isNaN(v[FIELD.hourOfHalf]!)) return roundUp ? 23 : 0;
  return v[FIELD.hourOfHalf]! + 12 * or(v[FIELD.halfDay]!, 0);
}

/** Nanoseconds of the local day; missing fields are 0, or their largest value with `roundUp`. */
function dayNanos(v: Float64Array, roundUp: boolean): number {
  if (!Number.isNaN(v[FIELD.nanoOfDay]!)) return v[FIELD.nanoOfDay]!;
  if (!Number.isNaN(v[FIELD.milliOfDay]!)) return v[FIELD.milliOfDay]! * 1e6;
  const top = roundUp ? 59 : 0;
  const seconds = hours(v, roundUp) * 3600 + or(v[FIELD.minute]!, top) * 60 + or(v[FIELD.second]!, top);
  return seconds * 1e9 + or(v[FIELD.nano]!, roundUp ? 999_999_999 : 0);
}

/** A moment: UTC milliseconds, and nanoseconds (0-999,999) after them. */
export interface Moment {
  readonly ms: number;
  readonly nanos: number;
}

/**
 * Resolves fields to a moment. `zone` is used if the text names none; with `roundUp` missing fields of the time are
 * their largest value. Throws date_time_exception for a day that does not exist.
 */
export function resolveFields(fields: Fields, zone: Zone, roundUp: boolean): Moment {
  const v = fields.values;
  if (!Number.isNaN(v[FIELD.epochMillis]!))
    return { ms: v[FIELD.epochMillis]!, nanos: or(v[FIELD.epochNanos]!, roundUp ? 999_999 : 0) };
  const nanoOfDay = dayNanos(v, roundUp);
  const local = days(v) * 86_400_000 + Math.floor(nanoOfDay / 1e6);
  const nanos = nanoOfDay % 1e6;
  if (!Number.isNaN(v[FIELD.offset]!)) return { ms: local - v[FIELD.offset]!, nanos };
  return { ms: localToUtc(fields.zone ?? zone, local), nanos };
}
