import { daysFromCivil } from '@shoal/values';
import { MONTHS, WEEKDAYS } from '../../../runtime/time/calendar-name.js';
import { TimeValue } from '../../../runtime/time/time-value.js';
import { UtcInstant } from '../../../runtime/time/utc-instant.js';
import { UtcDate } from '../../../runtime/utc-date.js';
import { ParsedText } from '../../../runtime/time/date-formatter.js';

const MS_MAX = 8.64e15;

/** Whether a value is no date beyond UTC and the range of milliseconds. */
export function isLight(value: unknown): boolean {
  if (value instanceof UtcDate) return Math.abs(value.ms) <= MS_MAX;
  if (value instanceof UtcInstant) return Math.abs(value.date.ms) <= MS_MAX;
  return !(value instanceof TimeValue || value instanceof ParsedText);
}

type Members = Readonly<Record<string, (...values: never[]) => unknown>>;

const weekday = (date: UtcDate): number => (((date.days + 3) % 7) + 7) % 7;

/** Milliseconds of the units of a time. */
const UNITS: Readonly<Record<string, number>> = {
  Weeks: 7 * 86_400_000,
  Days: 86_400_000,
  Hours: 3_600_000,
  Minutes: 60_000,
  Seconds: 1000,
};

/** A number of units that stays exact as milliseconds. */
const amount = (value: unknown): number => Number(value);

const shifts: Members = Object.fromEntries(
  Object.entries(UNITS).flatMap(([unit, ms]) => [
    [`plus${unit}/1`, (date: UtcDate, by: unknown) => date.plusMs(amount(by) * ms)],
    [`minus${unit}/1`, (date: UtcDate, by: unknown) => date.plusMs(-amount(by) * ms)],
  ]),
);

/** Members of ZonedDateTime for dates in UTC, which the values of date fields are. */
export const ZONED_MEMBERS: Members = {
  'getYear/0': (date: UtcDate) => date.civil[0],
  'getMonthValue/0': (date: UtcDate) => date.civil[1],
  'getMonth/0': (date: UtcDate) => MONTHS[date.civil[1] - 1],
  'getDayOfMonth/0': (date: UtcDate) => date.civil[2],
  'getDayOfYear/0': (date: UtcDate) => date.days - daysFromCivil(date.civil[0], 1, 1) + 1,
  'getDayOfWeek/0': (date: UtcDate) => WEEKDAYS[weekday(date)],
  'getDayOfWeekEnum/0': (date: UtcDate) => WEEKDAYS[weekday(date)],
  'getHour/0': (date: UtcDate) => Math.floor(date.timeOfDay / 3_600_000),
  'getMinute/0': (date: UtcDate) => Math.floor(date.timeOfDay / 60_000) % 60,
  'getSecond/0': (date: UtcDate) => Math.floor(date.timeOfDay / 1000) % 60,
  'getNano/0': (date: UtcDate) => date.nano,
  'toEpochSecond/0': (date: UtcDate) => Math.floor(date.ms / 1000),
  'toEpochMilli/0': (date: UtcDate) => date.ms,
  'toInstant/0': (date: UtcDate) => new UtcInstant(date),
  'isAfter/1': (date: UtcDate, other: UtcDate) => date.compare(other) > 0,
  'isBefore/1': (date: UtcDate, other: UtcDate) => date.compare(other) < 0,
  'isEqual/1': (date: UtcDate, other: UtcDate) => date.compare(other) === 0,
  ...shifts,
  'plusMonths/1': (date: UtcDate, months: unknown) => date.plusMonths(amount(months)),
  'minusMonths/1': (date: UtcDate, months: unknown) => date.plusMonths(-amount(months)),
  'plusYears/1': (date: UtcDate, years: unknown) => date.plusMonths(amount(years) * 12),
  'minusYears/1': (date: UtcDate, years: unknown) => date.plusMonths(-amount(years) * 12),
};

const later = (instant: UtcInstant, ms: number): UtcInstant => new UtcInstant(instant.date.plusMs(ms));

/** Members of Instant within the range of milliseconds. */
export const INSTANT_MEMBERS: Members = {
  'toEpochMilli/0': ({ date }: UtcInstant) => date.ms,
  'getEpochSecond/0': ({ date }: UtcInstant) => Math.floor(date.ms / 1000),
  'getNano/0': ({ date }: UtcInstant) => date.nano,
  'isAfter/1': (a: UtcInstant, b: UtcInstant) => a.compare(b) > 0,
  'isBefore/1': (a: UtcInstant, b: UtcInstant) => a.compare(b) < 0,
  'plusMillis/1': (instant: UtcInstant, ms: unknown) => later(instant, amount(ms)),
  'minusMillis/1': (instant: UtcInstant, ms: unknown) => later(instant, -amount(ms)),
  'plusSeconds/1': (instant: UtcInstant, seconds: unknown) => later(instant, amount(seconds) * 1000),
  'minusSeconds/1': (instant: UtcInstant, seconds: unknown) => later(instant, -amount(seconds) * 1000),
};
