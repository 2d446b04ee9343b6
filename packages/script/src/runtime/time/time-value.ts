import { ApiError } from '@shoal/errors';
import { hashCode } from '@shoal/values';
import { ScriptObject } from '../script-object.js';
import { nullPointer, Thrown } from '../thrown.js';
import { UtcDate } from '../utc-date.js';
import { CalendarName, MONTHS, WEEKDAYS } from './calendar-name.js';
import { call, callNumber, isOf, joda, type JodaObject } from './joda.js';
import { UtcInstant } from './utc-instant.js';

/** A value of java.time that is kept as an object of the library. Constants are made when they are first read. */
export class TimeValue extends ScriptObject {
  readonly javaClass: string;
  #object: JodaObject | (() => JodaObject);

  constructor(javaClass: string, object: JodaObject | (() => JodaObject)) {
    super();
    this.javaClass = javaClass;
    this.#object = object;
  }

  get object(): JodaObject {
    if (typeof this.#object === 'function') this.#object = (this.#object as () => JodaObject)();
    return this.#object as JodaObject;
  }

  toText(): string {
    return String(this.object);
  }

  compare(other: unknown): number {
    return guarded(() => callNumber(this.object, 'compareTo', toJoda(other)));
  }

  equalTo(other: unknown): boolean {
    return other instanceof TimeValue && call(this.object, 'equals', other.object) === true;
  }

  hash(): number {
    return typeof this.object['hashCode'] === 'function'
      ? callNumber(this.object, 'hashCode') | 0
      : hashCode(this.toText());
  }

  get identity(): string {
    return this.toText();
  }

  /** As answers show it: moments with milliseconds, all else as its text. */
  toJsonForm(): unknown {
    const { object } = this;
    if (!/\.(?:Zoned|Offset|Local)DateTime$/.test(this.javaClass)) return this.toText();
    const { ChronoUnit } = joda();
    const nanos = callNumber(object, 'nano');
    const seconds = String(call(object, 'truncatedTo', ChronoUnit!['SECONDS']));
    const [, date, time, zone] = /^(.*)T(\d\d:\d\d)(?::\d\d)?(.*)$/.exec(seconds)!;
    const second = String(callNumber(object, 'second')).padStart(2, '0');
    const digits = String(nanos).padStart(9, '0');
    const fraction = digits.endsWith('000000') ? digits.slice(0, 3) : digits;
    return `${date}T${time}:${second}.${fraction}${zone!.replace(/\[.*$/, '')}`;
  }
}

const ERRORS: Readonly<Record<string, string>> = {
  ArithmeticException: 'java.lang.ArithmeticException',
  DateTimeException: 'java.time.DateTimeException',
  DateTimeParseException: 'java.time.format.DateTimeParseException',
  IllegalArgumentException: 'java.lang.IllegalArgumentException',
  IllegalStateException: 'java.lang.IllegalStateException',
  NullPointerException: 'java.lang.NullPointerException',
  UnsupportedTemporalTypeException: 'java.time.temporal.UnsupportedTemporalTypeException',
};

const API_ERRORS: Readonly<Record<string, string>> = {
  date_time_exception: 'java.time.DateTimeException',
  date_time_parse_exception: 'java.time.format.DateTimeParseException',
  zone_rules_exception: 'java.time.zone.ZoneRulesException',
};

/** Runs a call of the library; its errors become exceptions of Java. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError)
      throw new Thrown(API_ERRORS[error.type] ?? 'java.lang.IllegalArgumentException', error.reason);
    const javaClass = error instanceof Error ? ERRORS[error.name] : undefined;
    if (javaClass === undefined) throw error instanceof TypeError ? nullPointer(null) : error;
    throw new Thrown(javaClass, told((error as Error).message));
  }
}

const MONTH_OF = (month: string): string => MONTHS[Number(month) - 1]?.name ?? month;

/** Returns a message of the library in the words of Java: it adds causes and places. */
function told(message: string): string {
  const text = message.replaceAll(
    /Invalid date '(-?\d+)' '(\d+)' '(\d+)'/g,
    (_all, _year: string, month: string, day: string) => `Invalid date '${MONTH_OF(month)} ${day}'`,
  );
  const [, head] = /^(Text '[^]*?' could not be parsed)/.exec(text) ?? [];
  if (head === undefined) return text.split('\n', 1)[0]!;
  const [, cause] = /\nCaused by: \w+: (.*)/.exec(text) ?? [];
  if (cause !== undefined) return `${head}: ${cause}`;
  const [, rest = ''] = /^(.*? index \d+)/.exec(text.slice(head.length)) ?? [];
  return head + rest;
}

const MS_MAX = 8.64e15;

/** Returns a value of scripts as the library has it. */
export function toJoda(value: unknown): unknown {
  if (value === null || value === undefined) throw nullPointer(null);
  if (value instanceof TimeValue) return value.object;
  if (value instanceof UtcDate) return zonedOf(value);
  if (value instanceof UtcInstant) return instantOf(value.date);
  if (value instanceof CalendarName)
    return call(joda()[value.javaClass === 'java.time.Month' ? 'Month' : 'DayOfWeek']!, 'of', value.number);
  return typeof value === 'bigint' ? safe(value) : value;
}

function safe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Thrown('java.lang.ArithmeticException', 'long overflow');
  return number;
}

function instantOf(date: UtcDate): JodaObject {
  const seconds = Math.floor(date.ms / 1000);
  return call(joda()['Instant']!, 'ofEpochSecond', seconds, date.nano) as JodaObject;
}

function zonedOf(date: UtcDate): JodaObject {
  return call(joda()['ZonedDateTime']!, 'ofInstant', instantOf(date), joda()['ZoneOffset']!['UTC']) as JodaObject;
}

function lightDate(object: JodaObject): UtcDate | null {
  const nano = callNumber(object, 'nano');
  const seconds = callNumber(object, 'toEpochSecond' in object ? 'toEpochSecond' : 'epochSecond');
  const ms = seconds * 1000 + Math.floor(nano / 1e6);
  return Math.abs(ms) <= MS_MAX ? new UtcDate(ms, nano % 1e6) : null;
}

const CLASSES: readonly (readonly [name: string, javaClass: string])[] = [
  ...(
    'LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime Instant Duration Period Year ' +
    'YearMonth MonthDay ZoneOffset'
  )
    .split(' ')
    .map((name) => [name, `java.time.${name}`] as const),
  ['ZoneId', 'java.time.ZoneId'],
  ['Clock', 'java.time.Clock'],
  ['ChronoUnit', 'java.time.temporal.ChronoUnit'],
  ['ChronoField', 'java.time.temporal.ChronoField'],
  ['ValueRange', 'java.time.temporal.ValueRange'],
  ['TemporalAdjuster', 'java.time.temporal.TemporalAdjuster'],
  ['TemporalUnit', 'java.time.temporal.TemporalUnit'],
  ['TemporalField', 'java.time.temporal.TemporalField'],
  ['ZoneRules', 'java.time.zone.ZoneRules'],
  ['ZoneOffsetTransition', 'java.time.zone.ZoneOffsetTransition'],
];

/** Returns what the library answered as a value of scripts. */
export function fromJoda(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(fromJoda);
  const module = joda();
  const object = value as JodaObject;
  if (isOf(value, module['DayOfWeek'])) return WEEKDAYS[callNumber(object, 'value') - 1];
  if (isOf(value, module['Month'])) return MONTHS[callNumber(object, 'value') - 1];
  const name = CLASSES.find(([one]) => isOf(value, module[one]));
  if (name === undefined) return new TimeValue('java.lang.Object', object);
  if (name[0] === 'Instant') {
    const date = lightDate(object);
    return date ? new UtcInstant(date) : new TimeValue(name[1], object);
  }
  const isUtc = name[0] === 'ZonedDateTime' && call(object, 'zone') === module['ZoneOffset']!['UTC'];
  return (isUtc ? lightDate(object) : null) ?? new TimeValue(name[1], object);
}
