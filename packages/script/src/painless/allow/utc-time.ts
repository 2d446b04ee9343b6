import { daysFromCivil } from '@shoal/values';
import { ScriptObject } from '../../runtime/values.js';
import { UtcDate } from '../../runtime/utc-date.js';
import { Thrown } from '../../runtime/thrown.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

const DAY_MS = 86_400_000;
const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const MONTHS = [
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

/** A constant of one of Java's enumerations: a day of the week, a month. Numbers count from 1. */
class EnumValue extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly number: number;

  constructor(javaClass: string, name: string, number: number) {
    super();
    this.javaClass = javaClass;
    this.name = name;
    this.number = number;
  }

  toText(): string {
    return this.name;
  }

  compare(other: unknown): number {
    return this.number - (other as EnumValue).number;
  }

  equalTo(other: unknown): boolean {
    return other instanceof EnumValue && other.javaClass === this.javaClass && other.number === this.number;
  }

  hash(): number {
    return this.number;
  }

  get identity(): string {
    return this.name;
  }
}

const dayValues = DAYS.map((name, i) => new EnumValue('java.time.DayOfWeek', name, i + 1));
const monthValues = MONTHS.map((name, i) => new EnumValue('java.time.Month', name, i + 1));

function enumRow(name: string, values: readonly EnumValue[]): ClassRow {
  const simple = name.slice(name.lastIndexOf('.') + 1);
  return {
    name,
    parents: ['java.lang.Comparable'],
    constants: Object.fromEntries(values.map((value) => [`${name} ${value.name}`, value])),
    statics: {
      [`${simple} of(int)`]: (number: number) => {
        const value = values[number - 1];
        if (!value) throw new Thrown('java.time.DateTimeException', `Invalid value for ${simple}: ${number}`);
        return value;
      },
    },
    methods: {
      'int getValue()': (value: EnumValue) => value.number,
      'String name()': (value: EnumValue) => value.name,
      'int ordinal()': (value: EnumValue) => value.number - 1,
    },
  };
}

const weekday = (date: UtcDate): number => (((date.days + 3) % 7) + 7) % 7;

/** Milliseconds of the units of a time. */
const UNITS: Readonly<Record<string, number>> = {
  Days: DAY_MS,
  Hours: 3_600_000,
  Minutes: 60_000,
  Seconds: 1000,
  Weeks: 7 * DAY_MS,
};

const shifted = (type: string): Readonly<Record<string, Implementation>> =>
  Object.fromEntries(
    Object.entries(UNITS).flatMap(([unit, ms]) => [
      [`${type} plus${unit}(long)`, (date: UtcDate, amount: number) => date.plusMs(Number(amount) * ms)],
      [`${type} minus${unit}(long)`, (date: UtcDate, amount: number) => date.plusMs(-Number(amount) * ms)],
    ]),
  );

const dateRow: ClassRow = {
  name: 'java.time.ZonedDateTime',
  parents: ['java.lang.Comparable'],
  methods: {
    'int getYear()': (date: UtcDate) => date.civil[0],
    'int getMonthValue()': (date: UtcDate) => date.civil[1],
    'Month getMonth()': (date: UtcDate) => monthValues[date.civil[1] - 1],
    'int getDayOfMonth()': (date: UtcDate) => date.civil[2],
    'int getDayOfYear()': (date: UtcDate) => date.days - daysFromCivil(date.civil[0], 1, 1) + 1,
    'DayOfWeek getDayOfWeek()': (date: UtcDate) => dayValues[weekday(date)],
    'DayOfWeek getDayOfWeekEnum()': (date: UtcDate) => dayValues[weekday(date)],
    'int getHour()': (date: UtcDate) => Math.floor(date.timeOfDay / 3_600_000),
    'int getMinute()': (date: UtcDate) => Math.floor(date.timeOfDay / 60_000) % 60,
    'int getSecond()': (date: UtcDate) => Math.floor(date.timeOfDay / 1000) % 60,
    'int getNano()': (date: UtcDate) => date.nano,
    'long toEpochSecond()': (date: UtcDate) => Math.floor(date.ms / 1000),
    'long toEpochMilli()': (date: UtcDate) => date.ms,
    'Instant toInstant()': (date: UtcDate) => new Instant(date),
    'boolean isAfter(ZonedDateTime)': (date: UtcDate, other: UtcDate) => date.compare(other) > 0,
    'boolean isBefore(ZonedDateTime)': (date: UtcDate, other: UtcDate) => date.compare(other) < 0,
    'boolean isEqual(ZonedDateTime)': (date: UtcDate, other: UtcDate) => date.compare(other) === 0,
    ...shifted('ZonedDateTime'),
    'ZonedDateTime plusMonths(long)': (date: UtcDate, months: number) => date.plusMonths(Number(months)),
    'ZonedDateTime minusMonths(long)': (date: UtcDate, months: number) => date.plusMonths(-Number(months)),
    'ZonedDateTime plusYears(long)': (date: UtcDate, years: number) => date.plusMonths(Number(years) * 12),
    'ZonedDateTime minusYears(long)': (date: UtcDate, years: number) => date.plusMonths(-Number(years) * 12),
  },
};

/** A point of time without a calendar. */
class Instant extends ScriptObject {
  readonly javaClass = 'java.time.Instant';
  readonly date: UtcDate;

  constructor(date: UtcDate) {
    super();
    this.date = date;
  }

  /** Seconds are always printed. */
  toText(): string {
    const text = this.date.toText();
    return /T\d\d:\d\dZ$/.test(text) ? text.replace('Z', ':00Z') : text;
  }

  compare(other: unknown): number {
    return this.date.compare((other as Instant).date);
  }

  equalTo(other: unknown): boolean {
    return other instanceof Instant && this.date.equalTo(other.date);
  }

  hash(): number {
    return this.date.hash();
  }

  get identity(): string {
    return this.date.identity;
  }
}

const instantRow: ClassRow = {
  name: 'java.time.Instant',
  parents: ['java.lang.Comparable'],
  statics: {
    'Instant ofEpochMilli(long)': (ms: number) => new Instant(new UtcDate(Number(ms))),
    'Instant ofEpochSecond(long)': (seconds: number) => new Instant(new UtcDate(Number(seconds) * 1000)),
  },
  methods: {
    'long toEpochMilli()': ({ date }: Instant) => date.ms,
    'long getEpochSecond()': ({ date }: Instant) => Math.floor(date.ms / 1000),
    'int getNano()': ({ date }: Instant) => date.nano,
    'boolean isAfter(Instant)': (a: Instant, b: Instant) => a.compare(b) > 0,
    'boolean isBefore(Instant)': (a: Instant, b: Instant) => a.compare(b) < 0,
    'Instant plusMillis(long)': ({ date }: Instant, ms: number) => new Instant(date.plusMs(Number(ms))),
    'Instant plusSeconds(long)': ({ date }: Instant, seconds: number) =>
      new Instant(date.plusMs(Number(seconds) * 1000)),
    'Instant minusMillis(long)': ({ date }: Instant, ms: number) => new Instant(date.plusMs(-Number(ms))),
    'Instant minusSeconds(long)': ({ date }: Instant, seconds: number) =>
      new Instant(date.plusMs(-Number(seconds) * 1000)),
  },
};

/** Points of time in UTC, which the values of date fields are. */
export const UTC_TIME: AllowTable = [
  dateRow,
  instantRow,
  enumRow('java.time.DayOfWeek', dayValues),
  enumRow('java.time.Month', monthValues),
];
