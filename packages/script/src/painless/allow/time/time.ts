import { textOf } from '../../../runtime/java-text.js';
import { illegalArgument, nullPointer, Thrown } from '../../../runtime/thrown.js';
import { CalendarName, MONTHS, WEEKDAYS } from '../../../runtime/time/calendar-name.js';
import { DateFormatter, fromParsed, ParsedText } from '../../../runtime/time/date-formatter.js';
import { call, callNumber, joda, type JodaObject } from '../../../runtime/time/joda.js';
import { fromJoda, guarded, TimeValue, toJoda } from '../../../runtime/time/time-value.js';
import { wrapLong } from '../../../runtime/longs.js';
import { JavaArray } from '../../../runtime/values.js';
import type { LocaleValue } from '../locale.js';
import type { AllowTable, ClassRow, Implementation } from '../class-row.js';
import { enumRow, type TimeEnum } from './time-enums.js';
import { INSTANT_MEMBERS, isLight, ZONED_MEMBERS } from './light-dates.js';
import { TIME_MEMBERS, type TimeMembers } from './time-members.js';

const split = (members: string): string[] =>
  members
    .split(';')
    .map((one) => one.trim().replace(/\s+/g, ' '))
    .filter((one) => one !== '');

interface Signature {
  readonly text: string;
  readonly name: string;
  readonly arity: number;
}

function signatureOf(text: string): Signature {
  const [, name, parameters] = /(\w+)\((.*)\)$/.exec(text) as unknown as [string, string, string];
  return { text, name, arity: parameters === '' ? 0 : parameters.split(',').length };
}

/** The library has `year()` for `getYear()`. */
function memberName(object: JodaObject, name: string): string {
  if (name in object || !name.startsWith('get')) return name;
  return `${name[3]!.toLowerCase()}${name.slice(4)}`;
}

function method(type: string, { name, arity }: Signature): Implementation {
  const special = SPECIAL[`${type}.${name}/${arity}`] ?? SPECIAL[`${name}/${arity}`];
  if (special) return special as Implementation;
  return (target: unknown, ...args: unknown[]) =>
    guarded(() => {
      const object = toJoda(target) as JodaObject;
      return fromJoda(call(object, memberName(object, name), ...args.map(toJoda)));
    });
}

const NANOS_A_SECOND = 1_000_000_000n;
const nanosIn = (duration: JodaObject): bigint =>
  BigInt(callNumber(duration, 'seconds')) * NANOS_A_SECOND + BigInt(callNumber(duration, 'nano'));

/** Members that the library has otherwise, or not at all. */
const SPECIAL: Readonly<Record<string, (...values: never[]) => unknown>> = {
  'format/1': (value: unknown, formatter: DateFormatter) => {
    if (formatter === null) throw nullPointer('formatter');
    return formatter.format(value);
  },
  'Duration.toNanos/0': (duration: TimeValue) => {
    const nanos = nanosIn(duration.object);
    if (BigInt.asIntN(64, nanos) !== nanos) throw overflow();
    return wrapLong(nanos);
  },
  'ZonedDateTime.toEpochMilli/0': (value: unknown) =>
    guarded(() => callNumber(call(toJoda(value) as JodaObject, 'toInstant') as JodaObject, 'toEpochMilli')),
  'ZonedDateTime.getDayOfWeekEnum/0': (value: unknown) =>
    guarded(() => fromJoda(call(toJoda(value) as JodaObject, 'dayOfWeek'))),
};

const overflow = (): Error => new Thrown('java.lang.ArithmeticException', 'long overflow');

/** What `parse` of a class reads, of those whose regions the library does not read. */
const ISO_FORMATTERS: Readonly<Record<string, DateFormatter>> = {
  ZonedDateTime: DateFormatter.constant('ISO_ZONED_DATE_TIME'),
};

function present(value: unknown): unknown {
  if (value === null || value === undefined) throw nullPointer('text');
  return value;
}

function fixed(type: string, { name, arity }: Signature): Implementation {
  if (name === 'parse' && arity === 2)
    return ((text: unknown, formatter: DateFormatter) => {
      if (formatter === null) throw nullPointer('formatter');
      return fromParsed(type, formatter.parse(textOf(text)));
    }) as Implementation;
  if (name === 'parse' && type in ISO_FORMATTERS)
    return (text: unknown) => fromParsed(type, ISO_FORMATTERS[type]!.parse(textOf(present(text))));
  return (...args: unknown[]) => {
    if (name === 'from' && args[0] instanceof ParsedText) return fromParsed(type, args[0]);
    const given = name === 'parse' ? [textOf(present(args[0]))] : args.map(toJoda);
    return guarded(() => fromJoda(call(joda()[type]!, name, ...given)));
  };
}

const PARENTS: Readonly<Record<string, readonly string[]>> = {
  Duration: ['java.time.temporal.TemporalAmount'],
  Period: ['java.time.temporal.TemporalAmount'],
  ZoneId: [],
  ZoneOffset: ['java.time.ZoneId'],
  MonthDay: ['java.time.temporal.TemporalAccessor', 'java.time.temporal.TemporalAdjuster'],
};

function constantsOf(type: string, names: string): Record<string, unknown> {
  return Object.fromEntries(
    names
      .split(' ')
      .map((name) => [`${type} ${name}`, new TimeValue(`java.time.${type}`, () => joda()[type]![name] as JodaObject)]),
  );
}

/** The row of a class. Its members are made when a script first names the class. */
function classRow(type: string, members: TimeMembers): ClassRow {
  const light = { ZonedDateTime: ZONED_MEMBERS, Instant: INSTANT_MEMBERS }[type] ?? {};
  const more = type === 'ZonedDateTime' ? ['long toEpochMilli()', 'DayOfWeek getDayOfWeekEnum()'] : [];
  return {
    name: `java.time.${type}`,
    parents: [
      ...(PARENTS[type] ?? ['java.time.temporal.Temporal', 'java.time.temporal.TemporalAdjuster']),
      'java.lang.Comparable',
    ],
    get methods() {
      return Object.fromEntries(
        [...split(members.methods), ...more].map((text) => {
          const signature = signatureOf(text);
          const slow = method(type, signature);
          const fast = light[`${signature.name}/${signature.arity}`];
          return [text, fast ? preferring(fast as Fn, slow) : slow];
        }),
      );
    },
    get statics() {
      return Object.fromEntries(split(members.statics).map((text) => [text, fixed(type, signatureOf(text))]));
    },
    get constants() {
      return members.constants === undefined ? {} : constantsOf(type, members.constants);
    },
  };
}

type Fn = (...values: unknown[]) => unknown;

/** Calculates with milliseconds where all dates are in UTC and the result is within their range. */
function preferring(fast: Fn, slow: Implementation): Implementation {
  return (target: unknown, ...args: unknown[]) => {
    if (isLight(target) && args.every(isLight)) {
      const result = fast(target, ...args);
      if (isLight(result)) return result;
    }
    return (slow as Fn)(target, ...args);
  };
}

/** Makes members of a class of the library from their signatures. */
export const membersOf = (type: string, methods: string): Record<string, Implementation> =>
  Object.fromEntries(split(methods).map((text) => [text, method(type, signatureOf(text))]));

const interfaceRow = (name: string, methods: string, parents: readonly string[] = []): ClassRow => ({
  name: `java.time.temporal.${name}`,
  parents,
  get methods() {
    return membersOf(name, methods);
  },
});

const ACCESSOR = `
  int get(TemporalField); long getLong(TemporalField); boolean isSupported(TemporalField);
  ValueRange range(TemporalField)`;

/** Nanoseconds and microseconds between two moments exceed what the library counts to. */
function between(unit: TimeEnum, from: unknown, to: unknown): unknown {
  return guarded(() => {
    const { ChronoUnit, Duration } = joda();
    const [start, end] = [toJoda(from), toJoda(to)];
    const isSmall = unit.object === ChronoUnit!['NANOS'] || unit.object === ChronoUnit!['MICROS'];
    if (!isSmall) return fromJoda(call(unit.object, 'between', start, end));
    const nanos = nanosIn(call(Duration!, 'between', start, end) as JodaObject);
    return wrapLong(BigInt.asIntN(64, unit.object === ChronoUnit!['NANOS'] ? nanos : nanos / 1000n));
  });
}

const UNIT = `
  Duration getDuration(); boolean isDateBased(); boolean isDurationEstimated(); boolean isTimeBased();
  boolean isSupportedBy(Temporal); Temporal addTo(Temporal,long)`;
const FIELD = `
  boolean isDateBased(); boolean isTimeBased(); boolean isSupportedBy(TemporalAccessor);
  long getFrom(TemporalAccessor); ValueRange range(); TemporalUnit getBaseUnit(); TemporalUnit getRangeUnit()`;

const unitRow = (name: string, more: Partial<ClassRow>): ClassRow => {
  const row = interfaceRow(name, UNIT);
  return {
    ...more,
    name: row.name,
    get methods() {
      return { ...more.methods, ...row.methods, 'long between(Temporal,Temporal)': between as Implementation };
    },
  };
};

const ADJUSTERS = `
  TemporalAdjuster dayOfWeekInMonth(int,DayOfWeek); TemporalAdjuster firstDayOfMonth();
  TemporalAdjuster firstDayOfNextMonth(); TemporalAdjuster firstDayOfNextYear(); TemporalAdjuster firstDayOfYear();
  TemporalAdjuster firstInMonth(DayOfWeek); TemporalAdjuster lastDayOfMonth(); TemporalAdjuster lastDayOfYear();
  TemporalAdjuster lastInMonth(DayOfWeek); TemporalAdjuster next(DayOfWeek); TemporalAdjuster nextOrSame(DayOfWeek);
  TemporalAdjuster previous(DayOfWeek); TemporalAdjuster previousOrSame(DayOfWeek)`;

const isoField = (type: string, name: string): [string, TimeValue] => [
  `${type} ${name}`,
  new TimeValue(`java.time.temporal.${type}`, () => joda()['IsoFields']![name] as JodaObject),
];

const ISO_FIELDS = ['DAY_OF_QUARTER', 'QUARTER_OF_YEAR', 'WEEK_BASED_YEAR', 'WEEK_OF_WEEK_BASED_YEAR'];

const FORMATTERS =
  'BASIC_ISO_DATE ISO_DATE ISO_DATE_TIME ISO_INSTANT ISO_LOCAL_DATE ISO_LOCAL_DATE_TIME ISO_LOCAL_TIME ' +
  'ISO_OFFSET_DATE ISO_OFFSET_DATE_TIME ISO_OFFSET_TIME ISO_ORDINAL_DATE ISO_TIME ISO_WEEK_DATE ' +
  'ISO_ZONED_DATE_TIME RFC_1123_DATE_TIME';

const formatterRow: ClassRow = {
  name: 'java.time.format.DateTimeFormatter',
  statics: {
    'DateTimeFormatter ofPattern(String)': (pattern: string) => DateFormatter.ofPattern(pattern),
    'DateTimeFormatter ofPattern(String,Locale)': (pattern: string, { namesTag }: LocaleValue) =>
      DateFormatter.ofPattern(pattern, namesTag),
  },
  methods: {
    'String format(TemporalAccessor)': (formatter: DateFormatter, value: unknown) => formatter.format(value),
    'TemporalAccessor parse(CharSequence)': (formatter: DateFormatter, text: unknown) => formatter.parse(textOf(text)),
    'DateTimeFormatter withZone(ZoneId)': (formatter: DateFormatter, zone: unknown) => formatter.withZone(zone),
    'DateTimeFormatter withLocale(Locale)': (formatter: DateFormatter, { namesTag }: LocaleValue) =>
      formatter.withLocale(namesTag),
    'ZoneId getZone()': (formatter: DateFormatter) => formatter.zone,
  },
  constants: Object.fromEntries(
    FORMATTERS.split(' ').map((name) => [`DateTimeFormatter ${name}`, DateFormatter.constant(name)]),
  ),
};

const capital = (name: string): string => name[0]! + name.slice(1).toLowerCase();

/** `Monday`, `Mon`, `M`: names in English, which is the root locale of the product that scripts come from. */
function displayName(value: CalendarName, style: TimeEnum): string {
  const name = capital(value.name);
  if (style.name.startsWith('FULL')) return name;
  return style.name.startsWith('SHORT') ? name.slice(0, 3) : name[0]!;
}

function calendarRow(type: string, values: readonly CalendarName[], methods: string): ClassRow {
  const place = (number: number): number => (((number - 1) % values.length) + values.length) % values.length;
  const moved = (value: CalendarName, by: unknown): CalendarName =>
    values[place(value.number + (Number(by) % values.length))]!;
  const at = (number: number): CalendarName => {
    const value = values[number - 1];
    if (!value) throw dateTime(`Invalid value for ${type === 'Month' ? 'MonthOfYear' : type}: ${number}`);
    return value;
  };
  return {
    name: `java.time.${type}`,
    parents: ['java.time.temporal.TemporalAccessor', 'java.time.temporal.TemporalAdjuster', 'java.lang.Enum'],
    constants: Object.fromEntries(values.map((value) => [`${type} ${value.name}`, value])),
    get statics() {
      return {
        [`${type} of(int)`]: at,
        [`${type} from(TemporalAccessor)`]: (value: unknown) =>
          guarded(() => fromJoda(call(joda()[type]!, 'from', toJoda(value)))),
        [`${type} valueOf(String)`]: (name: string) => {
          const value = values.find((one) => one.name === name);
          if (!value) throw illegalArgument(`No enum constant java.time.${type}.${name}`);
          return value;
        },
        [`${type}[] values()`]: () => new JavaArray(`java.time.${type}`, [...values]),
      };
    },
    get methods() {
      return {
        'int getValue()': (value: CalendarName) => value.number,
        'String name()': (value: CalendarName) => value.name,
        'int ordinal()': (value: CalendarName) => value.number - 1,
        [`${type} plus(long)`]: moved,
        [`${type} minus(long)`]: (value: CalendarName, by: unknown) => moved(value, -Number(by)),
        'String getDisplayName(TextStyle,Locale)': displayName,
        ...Object.fromEntries(split(methods).map((text) => [text, method(type, signatureOf(text))])),
      };
    },
  };
}

const dateTime = (told: string): Error => new Thrown('java.time.DateTimeException', told);

/** java.time: dates in UTC are numbers, all else is calculated by @js-joda/core. */
export const TIME: AllowTable = [
  interfaceRow('TemporalAccessor', ACCESSOR),
  interfaceRow(
    'Temporal',
    `Temporal minus(TemporalAmount); Temporal minus(long,TemporalUnit); Temporal plus(TemporalAmount);
    Temporal plus(long,TemporalUnit); long until(Temporal,TemporalUnit); Temporal with(TemporalAdjuster);
    Temporal with(TemporalField,long)`,
    ['java.time.temporal.TemporalAccessor'],
  ),
  interfaceRow('TemporalAmount', 'Temporal addTo(Temporal); Temporal subtractFrom(Temporal); long get(TemporalUnit)'),
  interfaceRow('TemporalAdjuster', 'Temporal adjustInto(Temporal)'),
  interfaceRow(
    'ValueRange',
    `long getMinimum(); long getMaximum(); long getLargestMinimum(); long getSmallestMaximum(); boolean isFixed();
    boolean isIntValue(); boolean isValidValue(long); boolean isValidIntValue(long)`,
  ),
  unitRow('TemporalUnit', {}),
  interfaceRow('TemporalField', FIELD),
  unitRow('ChronoUnit', { ...enumRow('ChronoUnit'), parents: ['java.time.temporal.TemporalUnit', 'java.lang.Enum'] }),
  { ...enumRow('ChronoField'), parents: ['java.time.temporal.TemporalField', 'java.lang.Enum'] },
  enumRow('TextStyle'),
  {
    name: 'java.time.temporal.TemporalAdjusters',
    get statics() {
      return Object.fromEntries(split(ADJUSTERS).map((text) => [text, fixed('TemporalAdjusters', signatureOf(text))]));
    },
  },
  {
    name: 'java.time.temporal.IsoFields',
    constants: Object.fromEntries([
      ...ISO_FIELDS.map((name) => isoField('TemporalField', name)),
      ...['QUARTER_YEARS', 'WEEK_BASED_YEARS'].map((name) => isoField('TemporalUnit', name)),
    ]),
  },
  formatterRow,
  calendarRow('DayOfWeek', WEEKDAYS, ''),
  calendarRow(
    'Month',
    MONTHS,
    'int length(boolean); int maxLength(); int minLength(); int firstDayOfYear(boolean); Month firstMonthOfQuarter()',
  ),
  ...Object.entries(TIME_MEMBERS).map(([type, members]) => classRow(type, members)),
];
