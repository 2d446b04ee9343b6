import { type JavaPattern, PatternBuilder } from '@shoal/values';
import { illegalArgument, Thrown } from '../../../runtime/thrown.js';
import { ScriptObject } from '../../../runtime/script-object.js';
import { DateFormatter } from '../../../runtime/time/date-formatter.js';
import { guarded } from '../../../runtime/time/time-value.js';
import { textOf } from '../../../runtime/java-text.js';
import type { AllowTable, ClassRow } from '../class-row.js';
import type { LocaleValue } from '../locale.js';
import { NamedConstant, namesRow } from '../names-row.js';
import type { TimeEnum } from './time-enums.js';

/** java.time.format.DateTimeFormatterBuilder. */
class FormatterBuilder extends ScriptObject {
  readonly javaClass = 'java.time.format.DateTimeFormatterBuilder';
  readonly pattern = new PatternBuilder();
}

/** Letter of a pattern and name in @shoal/values of each field that a text may tell. */
const FIELDS: Readonly<Record<string, readonly [letter: string, field: Parameters<PatternBuilder['defaulting']>[0]]>> =
  {
    Year: ['u', 'year'],
    YearOfEra: ['y', 'year'],
    MonthOfYear: ['M', 'month'],
    DayOfMonth: ['d', 'day'],
    DayOfYear: ['D', 'dayOfYear'],
    DayOfWeek: ['e', 'weekday'],
    HourOfDay: ['H', 'hour'],
    ClockHourOfDay: ['k', 'hour'],
    HourOfAmPm: ['K', 'hourOfHalf'],
    ClockHourOfAmPm: ['h', 'hourOfHalf'],
    AmPmOfDay: ['a', 'halfDay'],
    MinuteOfHour: ['m', 'minute'],
    SecondOfMinute: ['s', 'second'],
    NanoOfSecond: ['n', 'nano'],
    MilliOfDay: ['A', 'milliOfDay'],
    NanoOfDay: ['N', 'nanoOfDay'],
    Era: ['G', 'era'],
    QuarterOfYear: ['Q', 'quarter'],
    WeekOfWeekBasedYear: ['w', 'week'],
    WeekBasedYear: ['Y', 'weekYear'],
    OffsetSeconds: ['X', 'offset'],
  };
/** Fields of a second that are a fraction of so many digits. */
const FRACTIONS: Readonly<Record<string, number>> = { MilliOfSecond: 3, MicroOfSecond: 6, NanoOfSecond: 9 };
const NOT_NUMBERS = new Set(['a', 'G', 'X']);

function refused(what: string): Thrown {
  return new Thrown('java.lang.UnsupportedOperationException', `${what} cannot be part of a formatter here`);
}

function fieldOf(field: unknown): (typeof FIELDS)[string] {
  const known = FIELDS[textOf(field)];
  if (!known) throw refused(`field [${textOf(field)}]`);
  return known;
}

function numberLetter(field: unknown): string {
  const [letter] = fieldOf(field);
  if (NOT_NUMBERS.has(letter)) throw refused(`number of field [${textOf(field)}]`);
  return letter;
}

function appendFixed({ pattern }: FormatterBuilder, field: unknown, width: number): void {
  const digits = FRACTIONS[textOf(field)];
  if (width < 1 || width > 19) throw illegalArgument(`The width must be from 1 to 19 inclusive but was ${width}`);
  if (digits !== undefined && digits === width) pattern.subsecond(digits);
  else pattern.number(numberLetter(field), width, width, 'never');
}

const SIGNS: Readonly<Record<string, 'normal' | 'exceedsPad' | 'never'>> = {
  NORMAL: 'normal',
  NEVER: 'never',
  NOT_NEGATIVE: 'never',
  EXCEEDS_PAD: 'exceedsPad',
};

function appendNumber(
  { pattern }: FormatterBuilder,
  field: unknown,
  min: number,
  max: number,
  sign: NamedConstant,
): void {
  const how = SIGNS[sign.name];
  if (how === undefined) throw refused(`sign style [${sign.name}]`);
  pattern.number(numberLetter(field), min, max, how);
}

/** How often a letter stands for a name of a style. */
const STYLES: Readonly<Record<string, number>> = { FULL: 4, SHORT: 3, NARROW: 5 };

function appendText({ pattern }: FormatterBuilder, field: unknown, style: TimeEnum | null): void {
  const count = STYLES[style === null ? 'FULL' : style.name.replace('_STANDALONE', '')]!;
  const [letter] = fieldOf(field);
  if (letter === 'a' || letter === 'G') pattern.text(letter, 1, null);
  else if (letter === 'e') pattern.text('E', count, null);
  else if ('MQ'.includes(letter)) pattern.text(letter, count, null);
  else pattern.number(letter);
}

/** Letters of the offsets that have the text `Z` for none, or another one, by the patterns of Java. */
const OFFSETS: Readonly<Record<string, number>> = {
  '+HHmm': 1,
  '+HHMM': 2,
  '+HH:MM': 3,
  '+HHMMss': 4,
  '+HH:MM:ss': 5,
};
const ZERO_OFFSETS: Readonly<Record<number, readonly string[]>> = {
  1: ['+00'],
  2: ['+0000'],
  3: ['+00:00'],
  4: ['+0000'],
  5: ['+00:00'],
};

function appendOffset({ pattern }: FormatterBuilder, text: string, none: string): void {
  const count = OFFSETS[text];
  if (count === undefined) throw illegalArgument(`Invalid zone offset pattern: ${text}`);
  if (none === 'Z') pattern.zone('X', count);
  else if (ZERO_OFFSETS[count]!.includes(none)) pattern.zone('x', count);
  else throw refused(`text [${none}] of no offset`);
}

const built = (build: (pattern: PatternBuilder) => void): JavaPattern => {
  const pattern = new PatternBuilder();
  pattern.ignoreCase(true);
  build(pattern);
  return pattern.build(null);
};

function isoDate(pattern: PatternBuilder): void {
  pattern.number('u', 4, 10, 'exceedsPad');
  for (const letter of 'Md') {
    pattern.literal('-');
    pattern.number(letter, 2, 2, 'never');
  }
}

function isoTime(pattern: PatternBuilder): void {
  pattern.number('H', 2, 2, 'never');
  pattern.literal(':');
  pattern.number('m', 2, 2, 'never');
  pattern.optionalStart();
  pattern.literal(':');
  pattern.number('s', 2, 2, 'never');
  pattern.optionalStart();
  pattern.fraction(0, 9, true);
  pattern.optionalEnd();
  pattern.optionalEnd();
}

function isoDateTime(pattern: PatternBuilder): void {
  isoDate(pattern);
  pattern.literal('T');
  isoTime(pattern);
}

const isoOffset = (pattern: PatternBuilder): void => pattern.zone('X', 5);

function optional(pattern: PatternBuilder, build: (pattern: PatternBuilder) => void): void {
  pattern.optionalStart();
  build(pattern);
  pattern.optionalEnd();
}

const region = (pattern: PatternBuilder): void =>
  optional(pattern, () => {
    pattern.literal('[');
    pattern.zone('V', 2);
    pattern.literal(']');
  });

const all =
  (...parts: readonly ((pattern: PatternBuilder) => void)[]) =>
  (pattern: PatternBuilder): void => {
    for (const part of parts) part(pattern);
  };
const maybe =
  (part: (pattern: PatternBuilder) => void) =>
  (pattern: PatternBuilder): void =>
    optional(pattern, part);

/** Constants of DateTimeFormatter that may be part of another formatter. */
const CONSTANTS: Readonly<Record<string, (pattern: PatternBuilder) => void>> = {
  ISO_LOCAL_DATE: isoDate,
  ISO_LOCAL_TIME: isoTime,
  ISO_LOCAL_DATE_TIME: isoDateTime,
  ISO_OFFSET_DATE: all(isoDate, isoOffset),
  ISO_OFFSET_TIME: all(isoTime, isoOffset),
  ISO_OFFSET_DATE_TIME: all(isoDateTime, isoOffset),
  ISO_ZONED_DATE_TIME: all(isoDateTime, isoOffset, region),
  ISO_DATE: all(isoDate, maybe(isoOffset)),
  ISO_TIME: all(isoTime, maybe(isoOffset)),
  ISO_DATE_TIME: all(isoDateTime, maybe(all(isoOffset, region))),
  BASIC_ISO_DATE: (pattern) => {
    pattern.number('u', 4, 4, 'never');
    for (const letter of 'Md') pattern.number(letter, 2, 2, 'never');
    optional(pattern, () => pattern.zone('X', 4));
  },
};

function patternIn(formatter: DateFormatter): JavaPattern {
  if (formatter.pattern !== null) return formatter.pattern;
  const build = CONSTANTS[formatter.toText()];
  if (!build) throw refused(`[${formatter.toText()}]`);
  return built(build);
}

function defaulting({ pattern }: FormatterBuilder, field: unknown, value: unknown): void {
  const fraction = FRACTIONS[textOf(field)];
  const number = Number(value);
  if (fraction !== undefined) return pattern.defaulting('nano', number * 10 ** (9 - fraction));
  const [letter, name] = fieldOf(field);
  if (letter === 'k') return pattern.defaulting(name, number % 24);
  if (letter === 'h') return pattern.defaulting(name, number % 12);
  return pattern.defaulting(name, letter === 'X' ? number * 1000 : number);
}

/** Makes a method that changes a builder and returns it. */
const change =
  <Args extends unknown[]>(run: (builder: FormatterBuilder, ...args: Args) => unknown) =>
  (builder: FormatterBuilder, ...args: Args): FormatterBuilder => {
    guarded(() => run(builder, ...args));
    return builder;
  };

const SELF = 'DateTimeFormatterBuilder';
const methods: ClassRow['methods'] = {
  [`${SELF} append(DateTimeFormatter)`]: change(({ pattern }, formatter: DateFormatter) =>
    pattern.group(patternIn(formatter).elements, false),
  ),
  [`${SELF} appendOptional(DateTimeFormatter)`]: change(({ pattern }, formatter: DateFormatter) =>
    pattern.group(patternIn(formatter).elements, true),
  ),
  [`${SELF} appendPattern(String)`]: change(({ pattern }, text: string) => pattern.pattern(text)),
  [`${SELF} appendLiteral(String)`]: change(({ pattern }, text: string) => pattern.literal(text)),
  [`${SELF} appendValue(TemporalField)`]: change(({ pattern }, field) => pattern.number(numberLetter(field))),
  [`${SELF} appendValue(TemporalField,int)`]: change(appendFixed),
  [`${SELF} appendValue(TemporalField,int,int,SignStyle)`]: change(appendNumber),
  [`${SELF} appendValueReduced(TemporalField,int,int,int)`]: change(
    ({ pattern }, field, width: number, widthMax: number, base: number) => {
      if (width !== 2 || widthMax !== 2 || base !== 2000) throw refused(`reduced value of base [${base}]`);
      pattern.number(numberLetter(field), 2, 2, 'never', base);
    },
  ),
  [`${SELF} appendFraction(TemporalField,int,int,boolean)`]: change(
    ({ pattern }, field, min: number, max: number, hasPoint: boolean) => {
      if (textOf(field) !== 'NanoOfSecond') throw refused(`fraction of field [${textOf(field)}]`);
      pattern.fraction(min, max, hasPoint);
    },
  ),
  [`${SELF} appendText(TemporalField)`]: change((builder, field) => appendText(builder, field, null)),
  [`${SELF} appendText(TemporalField,TextStyle)`]: change(appendText),
  [`${SELF} appendOffset(String,String)`]: change(appendOffset),
  [`${SELF} appendOffsetId()`]: change(({ pattern }) => pattern.zone('X', 5)),
  [`${SELF} appendLocalizedOffset(TextStyle)`]: change(({ pattern }, style: TimeEnum) =>
    pattern.zone('O', style.name === 'FULL' ? 4 : 1),
  ),
  [`${SELF} appendZoneId()`]: change(({ pattern }) => pattern.zone('V', 2)),
  [`${SELF} appendZoneOrOffsetId()`]: change(({ pattern }) => pattern.zone('V', 2)),
  [`${SELF} appendZoneRegionId()`]: change(({ pattern }) => pattern.zone('V', 2)),
  [`${SELF} appendZoneText(TextStyle)`]: change(({ pattern }, style: TimeEnum) =>
    pattern.zone('z', style.name.startsWith('FULL') ? 4 : 1),
  ),
  [`${SELF} padNext(int)`]: change(({ pattern }, width: number) => pattern.padNext(width, ' ')),
  [`${SELF} padNext(int,char)`]: change(({ pattern }, width: number, char: number) =>
    pattern.padNext(width, String.fromCharCode(char)),
  ),
  [`${SELF} optionalStart()`]: change(({ pattern }) => pattern.optionalStart()),
  [`${SELF} optionalEnd()`]: change(({ pattern }) => {
    if (!pattern.optionalEnd())
      throw new Thrown(
        'java.lang.IllegalStateException',
        'Cannot call optionalEnd() as there was no previous call to optionalStart()',
      );
  }),
  [`${SELF} parseCaseInsensitive()`]: change(({ pattern }) => pattern.ignoreCase(true)),
  [`${SELF} parseCaseSensitive()`]: change(({ pattern }) => pattern.ignoreCase(false)),
  [`${SELF} parseLenient()`]: change(({ pattern }) => pattern.lenient(true)),
  [`${SELF} parseStrict()`]: change(({ pattern }) => pattern.lenient(false)),
  [`${SELF} parseDefaulting(TemporalField,long)`]: change(defaulting),
  'DateTimeFormatter toFormatter()': ({ pattern }: FormatterBuilder) =>
    guarded(() => DateFormatter.built(SELF, pattern.build(null), null)),
  'DateTimeFormatter toFormatter(Locale)': ({ pattern }: FormatterBuilder, { namesTag }: LocaleValue) =>
    guarded(() => DateFormatter.built(SELF, pattern.build(null), namesTag)),
};

/** Formatters of dates that are built piece by piece. */
export const FORMATTER_BUILDER: AllowTable = [
  namesRow('java.time.format.SignStyle', 'NORMAL ALWAYS NEVER NOT_NEGATIVE EXCEEDS_PAD'),
  { name: `java.time.format.${SELF}`, constructors: { '()': () => new FormatterBuilder() }, methods },
];
