import { UTC } from '@shoal/values';
import { scriptEnvironment } from '../../runtime/environment.js';
import { JavaDate } from '../../runtime/java-date.js';
import { JavaMap } from '../../runtime/java-map.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import {
  FIELD_COUNT,
  FIELD_LEAST_MAXIMUM,
  FIELD_MAXIMUM,
  FIELD_MINIMUM,
  FIELDS,
  GregorianCalendar,
} from '../../runtime/time/gregorian-calendar.js';
import { call, callNumber, joda, type JodaObject } from '../../runtime/time/joda.js';
import { fromJoda, type TimeValue, toJoda } from '../../runtime/time/time-value.js';
import { UtcInstant } from '../../runtime/time/utc-instant.js';
import { ZoneValue } from '../../runtime/time/zone-value.js';
import { UtcDate } from '../../runtime/utc-date.js';
import { JavaArray, ScriptObject, type Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow, Implementation } from './class-row.js';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const NAMES: Readonly<Record<number, readonly string[]>> = {
  [FIELDS.MONTH]: [...MONTHS, 'November', 'December'],
  [FIELDS.DAY_OF_WEEK]: ['', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  [FIELDS.AM_PM]: ['AM', 'PM'],
  [FIELDS.ERA]: ['BC', 'AD'],
};
const STYLES = { ALL_STYLES: 0, SHORT: 1, LONG: 2, SHORT_FORMAT: 1, LONG_FORMAT: 2 } as const;
const STANDALONE = { SHORT_STANDALONE: 0x8001, LONG_STANDALONE: 0x8002, NARROW_FORMAT: 4, NARROW_STANDALONE: 0x8004 };

/** Days, months, halves of a day: constants of java.util.Calendar. */
const CONSTANTS: Readonly<Record<string, number>> = {
  ...FIELDS,
  FIELD_COUNT,
  ...Object.fromEntries([...MONTHS, 'November', 'December'].map((name, i) => [name.toUpperCase(), i])),
  UNDECIMBER: 12,
  ...Object.fromEntries(NAMES[FIELDS.DAY_OF_WEEK]!.slice(1).map((name, i) => [name.toUpperCase(), i + 1])),
  AM: 0,
  PM: 1,
  ...STYLES,
  ...STANDALONE,
};

const now = (zone = UTC): GregorianCalendar => new GregorianCalendar(Math.floor(scriptEnvironment().wallMs()), zone);

const inZone = ({ zone }: ZoneValue): GregorianCalendar => now(zone);

/** A calendar at a date, whose fields that are not given are 0. */
function at(year: number, month: number, day: number, ...time: readonly number[]): GregorianCalendar {
  const calendar = new GregorianCalendar(0, UTC);
  calendar.clear();
  const [hour = 0, ...rest] = time;
  calendar.set(FIELDS.AM_PM, hour < 12 ? 0 : 1);
  calendar.set(FIELDS.HOUR, hour % 12);
  setAll(calendar, year, month, day, hour, ...rest);
  return calendar;
}

const SET_ORDER = [FIELDS.YEAR, FIELDS.MONTH, FIELDS.DATE, FIELDS.HOUR_OF_DAY, FIELDS.MINUTE, FIELDS.SECOND];

function setAll(calendar: GregorianCalendar, ...values: readonly number[]): void {
  values.forEach((value, i) => calendar.set(SET_ORDER[i]!, value));
}

const msOf = (value: Value): number => {
  if (value instanceof GregorianCalendar) return value.ms;
  throw new Thrown('java.lang.ClassCastException', null);
};

function nameOf(calendar: GregorianCalendar, field: number, style: number): string | null {
  const name = NAMES[field]?.[calendar.get(field)];
  if (name === undefined) return null;
  return (style & 0xff) === STYLES.SHORT ? name.slice(0, 3) : (style & 0xff) === 4 ? name.slice(0, 1) : name;
}

function namesOf(field: number, style: number): JavaMap | null {
  const names = NAMES[field];
  if (names === undefined) return null;
  const map = new JavaMap('hash');
  names.forEach((name, value) => {
    if (name === '') return;
    if (style === STYLES.ALL_STYLES || (style & 0xff) === STYLES.LONG) map.put(name, value);
    if (style === STYLES.ALL_STYLES || (style & 0xff) === STYLES.SHORT) map.put(name.slice(0, 3), value);
  });
  return map;
}

const limitOf =
  (limits: readonly number[]): Implementation =>
  (_calendar: GregorianCalendar, field: number) => {
    if (field < 0 || field >= FIELD_COUNT)
      throw new Thrown(
        'java.lang.ArrayIndexOutOfBoundsException',
        `Index ${field} out of bounds for length ${FIELD_COUNT}`,
      );
    return limits[field];
  };

const calendarRow: ClassRow = {
  name: 'java.util.Calendar',
  parents: ['java.lang.Comparable'],
  constants: Object.fromEntries(Object.entries(CONSTANTS).map(([name, value]) => [`int ${name}`, value])),
  statics: {
    'Calendar getInstance()': () => now(),
    'Calendar getInstance(TimeZone)': inZone,
    'Calendar getInstance(TimeZone,Locale)': inZone,
  },
  methods: {
    'void add(int,int)': (calendar: GregorianCalendar, field: number, by: number) => calendar.add(field, by),
    'boolean after(Object)': (calendar: GregorianCalendar, other: Value) =>
      other instanceof GregorianCalendar && calendar.ms > other.ms,
    'boolean before(Object)': (calendar: GregorianCalendar, other: Value) =>
      other instanceof GregorianCalendar && calendar.ms < other.ms,
    'void clear()': (calendar: GregorianCalendar) => calendar.clear(),
    'void clear(int)': (calendar: GregorianCalendar, field: number) => calendar.clearField(field),
    'def clone()': (calendar: GregorianCalendar) => calendar.copy(),
    'int compareTo(Calendar)': (calendar: GregorianCalendar, other: Value) => Math.sign(calendar.ms - msOf(other)),
    'int get(int)': (calendar: GregorianCalendar, field: number) => calendar.get(field),
    'int getActualMaximum(int)': (calendar: GregorianCalendar, field: number) => calendar.actualMaximum(field),
    'int getActualMinimum(int)': limitOf(FIELD_MINIMUM),
    'String getCalendarType()': () => 'gregory',
    'String getDisplayName(int,int,Locale)': nameOf,
    'Map getDisplayNames(int,int,Locale)': (_calendar: GregorianCalendar, field: number, style: number) =>
      namesOf(field, style),
    'int getFirstDayOfWeek()': (calendar: GregorianCalendar) => calendar.firstDayOfWeek,
    'int getGreatestMinimum(int)': limitOf(FIELD_MINIMUM),
    'int getLeastMaximum(int)': limitOf(FIELD_LEAST_MAXIMUM),
    'int getMaximum(int)': limitOf(FIELD_MAXIMUM),
    'int getMinimalDaysInFirstWeek()': (calendar: GregorianCalendar) => calendar.minimalDays,
    'int getMinimum(int)': limitOf(FIELD_MINIMUM),
    'Date getTime()': (calendar: GregorianCalendar) => new JavaDate(calendar.ms),
    'long getTimeInMillis()': (calendar: GregorianCalendar) => calendar.ms,
    'TimeZone getTimeZone()': (calendar: GregorianCalendar) => new ZoneValue(calendar.zone),
    'int getWeekYear()': (calendar: GregorianCalendar) => calendar.weekYear,
    'int getWeeksInWeekYear()': (calendar: GregorianCalendar) => calendar.weeksIn(calendar.weekYear),
    'boolean isLenient()': (calendar: GregorianCalendar) => calendar.isLenient,
    'boolean isSet(int)': () => true,
    'boolean isWeekDateSupported()': () => true,
    'void roll(int,int)': (calendar: GregorianCalendar, field: number, by: number) => calendar.roll(field, by),
    'void set(int,int)': (calendar: GregorianCalendar, field: number, value: number) => calendar.set(field, value),
    'void set(int,int,int)': setAll,
    'void set(int,int,int,int,int)': setAll,
    'void set(int,int,int,int,int,int)': setAll,
    'void setFirstDayOfWeek(int)': (calendar: GregorianCalendar, day: number) => void (calendar.firstDayOfWeek = day),
    'void setLenient(boolean)': (calendar: GregorianCalendar, is: boolean) => void (calendar.isLenient = is),
    'void setMinimalDaysInFirstWeek(int)': (calendar: GregorianCalendar, days: number) =>
      void (calendar.minimalDays = days),
    'void setTime(Date)': (calendar: GregorianCalendar, date: JavaDate) => void (calendar.ms = date.ms),
    'void setTimeInMillis(long)': (calendar: GregorianCalendar, ms: Value) => void (calendar.ms = Number(ms)),
    'void setTimeZone(TimeZone)': (calendar: GregorianCalendar, { zone }: ZoneValue) => {
      // What was set before counts in the zone before.
      calendar.ms = Number(calendar.ms);
      calendar.zone = zone;
    },
    'void setWeekDate(int,int,int)': (calendar: GregorianCalendar, year: number, week: number, day: number) =>
      calendar.setWeekDate(year, week, day),
    'java.time.Instant toInstant()': (calendar: GregorianCalendar) => new UtcInstant(new UtcDate(calendar.ms, 0)),
  },
};

const gregorianRow: ClassRow = {
  name: 'java.util.GregorianCalendar',
  parents: ['java.util.Calendar'],
  constants: { 'int AD': 1, 'int BC': 0 },
  constructors: {
    '()': () => now(),
    '(TimeZone)': inZone,
    '(TimeZone,Locale)': inZone,
    '(int,int,int)': at,
    '(int,int,int,int,int)': at,
    '(int,int,int,int,int,int)': at,
  },
  statics: {
    'GregorianCalendar from(java.time.ZonedDateTime)': (date: UtcDate | TimeValue) => {
      if (date instanceof UtcDate) return new GregorianCalendar(date.ms, UTC);
      const { object } = date;
      const ms = callNumber(call(object, 'toInstant') as JodaObject, 'toEpochMilli');
      return new GregorianCalendar(ms, ZoneValue.of(String(call(object, 'zone'))).zone);
    },
  },
  methods: {
    'boolean isLeapYear(int)': (_calendar: GregorianCalendar, year: number) =>
      year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0),
    'java.time.ZonedDateTime toZonedDateTime()': (calendar: GregorianCalendar) =>
      fromJoda(
        call(joda()['ZonedDateTime']!, 'ofInstant', toJoda(new UtcInstant(new UtcDate(calendar.ms))), zoneOf(calendar)),
      ),
  },
};

const zoneOf = ({ zone }: GregorianCalendar): unknown => call(joda()['ZoneId']!, 'of', zone.id);

/** java.util.Calendar.Builder. */
class CalendarBuilder extends ScriptObject {
  readonly javaClass = 'java.util.Calendar.Builder';
  readonly steps: ((calendar: GregorianCalendar) => void)[] = [];

  with(step: (calendar: GregorianCalendar) => void): this {
    this.steps.push(step);
    return this;
  }
}

type Builder = (builder: CalendarBuilder, ...values: never[]) => CalendarBuilder;

const BUILDER: Readonly<Record<string, Builder>> = {
  'set(int,int)': (builder, field: number, value: number) => builder.with((calendar) => calendar.set(field, value)),
  'setCalendarType(String)': (builder, type: string) => {
    if (!/^(gregory|gregorian|iso8601)$/.test(type)) throw illegalArgument(`unknown calendar type: ${type}`);
    return builder;
  },
  'setDate(int,int,int)': (builder, ...date: number[]) => builder.with((calendar) => setAll(calendar, ...date)),
  'setFields(int[])': (builder, pairs: JavaArray) =>
    builder.with((calendar) => {
      for (let i = 0; i + 1 < pairs.values.length; i += 2)
        calendar.set(pairs.values[i] as number, pairs.values[i + 1] as number);
    }),
  'setInstant(long)': (builder, ms: number) => builder.with((calendar) => void (calendar.ms = Number(ms))),
  'setLenient(boolean)': (builder, is: boolean) => builder.with((calendar) => void (calendar.isLenient = is)),
  'setLocale(Locale)': (builder) => builder,
  'setTimeOfDay(int,int,int)': (builder, ...time: number[]) => builder.with((calendar) => setTime(calendar, time)),
  'setTimeOfDay(int,int,int,int)': (builder, ...time: number[]) => builder.with((calendar) => setTime(calendar, time)),
  'setTimeZone(TimeZone)': (builder, zone: ZoneValue) => {
    builder.steps.unshift((calendar) => {
      calendar.zone = zone.zone;
      calendar.clear();
    });
    return builder;
  },
  'setWeekDate(int,int,int)': (builder, year: number, week: number, day: number) =>
    builder.with((calendar) => calendar.setWeekDate(year, week, day)),
  'setWeekDefinition(int,int)': (builder, firstDay: number, days: number) => {
    builder.steps.unshift((calendar) => {
      calendar.firstDayOfWeek = firstDay;
      calendar.minimalDays = days;
    });
    return builder;
  },
};

function setTime(calendar: GregorianCalendar, time: readonly number[]): void {
  const order = [FIELDS.HOUR_OF_DAY, FIELDS.MINUTE, FIELDS.SECOND, FIELDS.MILLISECOND];
  time.forEach((value, i) => calendar.set(order[i]!, value));
}

const builderRow: ClassRow = {
  name: 'java.util.Calendar.Builder',
  constructors: { '()': () => new CalendarBuilder() },
  methods: {
    ...Object.fromEntries(
      Object.entries(BUILDER).map(([signature, step]) => [`Calendar.Builder ${signature}`, step as Implementation]),
    ),
    'Calendar build()': ({ steps }: CalendarBuilder) => {
      const calendar = new GregorianCalendar(0, UTC);
      calendar.clear();
      for (const step of steps) step(calendar);
      return calendar;
    },
  },
};

/** java.util.Calendar in the root locale: weeks begin on Sunday, and the first one has January 1. */
export const CALENDAR: AllowTable = [calendarRow, gregorianRow, builderRow];
