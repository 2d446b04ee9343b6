import { type JavaPattern, javaPattern, type ParsedDate, patternOf, timeZone, UTC, type Zone } from '@shoal/values';
import { ScriptObject } from '../script-object.js';
import { illegalArgument, Thrown } from '../thrown.js';
import { call, callNumber, isOf, joda, type JodaObject } from './joda.js';
import { fromJoda, guarded, toJoda } from './time-value.js';

/** What a formatter read, which `from` of a class makes a value of. */
export class ParsedText extends ScriptObject {
  readonly javaClass = 'java.time.temporal.TemporalAccessor';
  readonly text: string;
  readonly parsed: ParsedDate;

  constructor(text: string, parsed: ParsedDate) {
    super();
    this.text = text;
    this.parsed = parsed;
  }
}

const TIME_LETTERS = /[hHkKmsSnNAa]/;
const DATE_LETTERS = /[uyYMLdDEeEcQqwWGg]/;
const ZONE_LETTERS = /[zVvOXxZ]/;

/** Which letters the values of a class have. */
const HAS: Readonly<Record<string, readonly [date: boolean, time: boolean, zone: boolean]>> = {
  LocalDate: [true, false, false],
  LocalTime: [false, true, false],
  LocalDateTime: [true, true, false],
  OffsetTime: [false, true, true],
  Instant: [false, false, false],
};

const classNameOf = (object: JodaObject): string => {
  const module = joda();
  return NAMES.find((name) => isOf(object, module[name])) ?? '';
};

const NAMES = [
  'ZonedDateTime',
  'OffsetDateTime',
  'LocalDateTime',
  'LocalDate',
  'LocalTime',
  'OffsetTime',
  'Instant',
  'YearMonth',
  'Year',
  'MonthDay',
];

function unsupported(field: string): Thrown {
  return new Thrown('java.time.temporal.UnsupportedTemporalTypeException', `Unsupported field: ${field}`);
}

/** Tells for which letters a class has values. */
function hasLetter(name: string): (letter: string) => boolean {
  const [date, time, zone] = HAS[name] ?? [true, true, true];
  return (letter) =>
    DATE_LETTERS.test(letter) ? date : TIME_LETTERS.test(letter) ? time : ZONE_LETTERS.test(letter) ? zone : true;
}

function checkLetters(letters: string, name: string): void {
  const [date, time, zone] = HAS[name] ?? [true, true, true];
  if (!date && DATE_LETTERS.test(letters)) throw unsupported(letters.includes('y') ? 'YearOfEra' : 'Year');
  if (!time && TIME_LETTERS.test(letters)) throw unsupported(/[hK]/.test(letters) ? 'HourOfAmPm' : 'HourOfDay');
  if (!zone && ZONE_LETTERS.test(letters)) {
    if (/[zVv]/.test(letters))
      throw new Thrown('java.time.DateTimeException', 'Unable to extract ZoneId from temporal');
    throw unsupported('OffsetSeconds');
  }
}

/** A day at which values without a date are printed. */
const EPOCH_DAY = '1970-01-01';

/** Returns the local date and time of a value, those that it lacks taken from the epoch, and its zone. */
function momentOf(object: JodaObject, name: string): { local: JodaObject; zone: Zone } {
  const { LocalDate } = joda();
  const day = (text: string): JodaObject => call(LocalDate!, 'parse', text) as JodaObject;
  switch (name) {
    case 'ZonedDateTime':
    case 'OffsetDateTime':
      return {
        local: call(object, 'toLocalDateTime') as JodaObject,
        zone: timeZone(String(call(object, name === 'ZonedDateTime' ? 'zone' : 'offset'))),
      };
    case 'LocalDateTime':
      return { local: object, zone: UTC };
    case 'LocalDate':
      return { local: call(object, 'atStartOfDay') as JodaObject, zone: UTC };
    case 'LocalTime':
      return { local: call(object, 'atDate', day(EPOCH_DAY)) as JodaObject, zone: UTC };
    case 'OffsetTime': {
      const time = call(object, 'toLocalTime') as JodaObject;
      return {
        local: call(time, 'atDate', day(EPOCH_DAY)) as JodaObject,
        zone: timeZone(String(call(object, 'offset'))),
      };
    }
    case 'YearMonth':
    case 'Year':
      return { local: call(call(object, 'atDay', 1) as JodaObject, 'atStartOfDay') as JodaObject, zone: UTC };
    case 'MonthDay':
      return { local: call(call(object, 'atYear', 2000) as JodaObject, 'atStartOfDay') as JodaObject, zone: UTC };
    default:
      throw unsupported('YearOfEra');
  }
}

/** java.time's DateTimeFormatter of a pattern, or one of its constants. */
export class DateFormatter extends ScriptObject {
  readonly javaClass = 'java.time.format.DateTimeFormatter';
  readonly #name: string;
  /** With names in English; null for a constant. */
  readonly #base: JavaPattern | null;
  readonly #pattern: JavaPattern | null;
  /** The language of names, a tag of BCP 47; null for English. */
  readonly #tag: string | null;
  /** A zone that `withZone` gave; null if there is none. */
  readonly #zone: JodaObject | null;

  private constructor(name: string, base: JavaPattern | null, tag: string | null, zone: JodaObject | null) {
    super();
    this.#name = name;
    this.#base = base;
    this.#pattern = base === null || tag === null ? base : guarded(() => patternOf(base.elements, tag));
    this.#tag = tag;
    this.#zone = zone;
  }

  /** `tag` is the language of the names: a tag of BCP 47; null for English. */
  static ofPattern(pattern: string, tag: string | null = null): DateFormatter {
    return DateFormatter.built(
      pattern,
      guarded(() => javaPattern(pattern)),
      tag,
    );
  }

  /** A formatter of a pattern that has been built. */
  static built(name: string, pattern: JavaPattern, tag: string | null): DateFormatter {
    return new DateFormatter(name, pattern, tag, null);
  }

  /** One of the constants: `ISO_LOCAL_DATE`. */
  static constant(name: string): DateFormatter {
    return new DateFormatter(name, null, null, null);
  }

  /** Returns the same pattern with names of another language. The constants have no names. */
  withLocale(tag: string | null): DateFormatter {
    return this.#base === null ? this : new DateFormatter(this.#name, this.#base, tag, this.#zone);
  }

  withZone(zone: unknown): DateFormatter {
    return new DateFormatter(this.#name, this.#base, this.#tag, toJoda(zone) as JodaObject);
  }

  get zone(): unknown {
    return this.#zone === null ? null : fromJoda(this.#zone);
  }

  /** Its pattern; null for a constant, which has a name only. */
  get pattern(): JavaPattern | null {
    return this.#base;
  }

  toText(): string {
    return this.#name;
  }

  format(value: unknown): string {
    return guarded(() => {
      const object = this.#zoned(toJoda(value) as JodaObject);
      return this.#pattern === null ? formatIso(this.#name, object) : this.#print(this.#pattern, object);
    });
  }

  #zoned(object: JodaObject): JodaObject {
    if (this.#zone === null) return object;
    const { Instant, OffsetDateTime, ZonedDateTime } = joda();
    if (isOf(object, Instant)) return call(object, 'atZone', this.#zone) as JodaObject;
    if (isOf(object, ZonedDateTime)) return call(object, 'withZoneSameInstant', this.#zone) as JodaObject;
    if (isOf(object, OffsetDateTime)) return call(object, 'atZoneSameInstant', this.#zone) as JodaObject;
    return object;
  }

  #print(pattern: JavaPattern, object: JodaObject): string {
    const name = classNameOf(object);
    checkLetters(pattern.letters, name);
    const { local, zone } = momentOf(object, name);
    const { ZoneOffset } = joda();
    const nano = callNumber(local, 'nano');
    const localMs = callNumber(local, 'toEpochSecond', ZoneOffset!['UTC']) * 1000 + Math.floor(nano / 1e6);
    if (Math.abs(localMs) > 8.64e15) throw illegalArgument(`date [${String(object)}] is out of range`);
    const utcMs =
      name === 'ZonedDateTime' || name === 'OffsetDateTime'
        ? localMs - callNumber(call(object, 'offset') as JodaObject, 'totalSeconds') * 1000
        : name === 'OffsetTime'
          ? localMs - (zone.fixedOffset ?? 0)
          : localMs;
    return pattern.print(utcMs, nano % 1e6, zone, hasLetter(name));
  }

  parse(text: string): ParsedText {
    return guarded(() => {
      const parsed = this.#pattern === null ? parseIso(this.#name, text) : this.#pattern.parse(text);
      if (parsed.zone !== null || parsed.offsetMs !== null || this.#zone === null) return new ParsedText(text, parsed);
      return new ParsedText(text, { ...parsed, zone: timeZone(String(this.#zone)) });
    });
  }
}

/** Prints by a pattern, with the offset of values that have one. */
function withOffset(pattern: string, offset: string, object: JodaObject): string {
  return DateFormatter.ofPattern('offset' in object ? pattern + offset : pattern).format(fromJoda(object));
}

/** Which class of the library prints and reads a constant, by the kinds of values that it takes. */
function formatIso(name: string, object: JodaObject): string {
  const { DateTimeFormatter, LocalDate, LocalTime, LocalDateTime, ZonedDateTime } = joda();
  if (name === 'RFC_1123_DATE_TIME') {
    const head = DateFormatter.ofPattern('EEE, d MMM uuuu HH:mm:ss').format(fromJoda(object));
    const offset = String(call(object, 'offset'));
    return `${head} ${offset === 'Z' ? 'GMT' : offset.replace(':', '')}`;
  }
  if (name === 'ISO_WEEK_DATE') return withOffset("YYYY-'W'ww-e", 'XXX', object);
  if (name === 'ISO_ORDINAL_DATE') return withOffset('uuuu-DDD', 'XXX', object);
  if (name === 'BASIC_ISO_DATE') return withOffset('uuuuMMdd', 'Z', object);
  const isLocal = isOf(object, LocalDate) || isOf(object, LocalTime) || isOf(object, LocalDateTime);
  const which =
    {
      ISO_DATE: isLocal ? 'ISO_LOCAL_DATE' : 'ISO_OFFSET_DATE',
      ISO_TIME: isLocal ? 'ISO_LOCAL_TIME' : 'ISO_OFFSET_TIME',
      ISO_DATE_TIME: isLocal
        ? 'ISO_LOCAL_DATE_TIME'
        : isOf(object, ZonedDateTime)
          ? 'ISO_ZONED_DATE_TIME'
          : 'ISO_OFFSET_DATE_TIME',
    }[name] ?? name;
  const formatter = DateTimeFormatter![which] as JodaObject | undefined;
  if (formatter) return call(formatter, 'format', object) as string;
  const offset = (): string => String(call(object, 'offset'));
  if (which === 'ISO_OFFSET_DATE') return `${String(call(object, 'toLocalDate'))}${offset()}`;
  const time = call(object, 'toLocalTime') as JodaObject;
  return `${call(DateTimeFormatter!['ISO_LOCAL_TIME'] as JodaObject, 'format', time) as string}${offset()}`;
}

const ISO = new RegExp(
  [
    /^([+-]?\d{4,9}-\d\d-\d\d)?/,
    /(?:T?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?/,
    /(Z|[+-]\d\d(?::\d\d(?::\d\d)?)?)?/,
    /(?:\[([^\]]+)\])?$/,
  ]
    .map((part) => part.source)
    .join(''),
);

function failed(text: string, read = ''): Thrown {
  const at = read.length;
  return new Thrown('java.time.format.DateTimeParseException', `Text '${text}' could not be parsed at index ${at}`);
}

function parseIso(name: string, text: string): ParsedDate {
  const { LocalDate, LocalTime } = joda();
  if (name === 'BASIC_ISO_DATE') return javaPattern('uuuuMMdd').parse(text);
  if (name === 'ISO_ORDINAL_DATE') return javaPattern('uuuu-DDD').parse(text);
  if (name === 'ISO_WEEK_DATE') return javaPattern("YYYY-'W'ww-e").parse(text);
  if (name === 'RFC_1123_DATE_TIME')
    return javaPattern('EEE, d MMM uuuu HH:mm:ss xx').parse(text.replace(/GMT$/, '+0000'));
  const match = ISO.exec(text);
  if (!match) throw failed(text);
  const [, date, time, offset, zone] = match;
  if (name === 'ISO_ZONED_DATE_TIME' && offset === undefined) throw failed(text, time === undefined ? date : text);
  const day = date === undefined ? null : (call(LocalDate!, 'parse', date) as JodaObject);
  const clock = time === undefined ? null : (call(LocalTime!, 'parse', time) as JodaObject);
  return {
    days: day === null ? null : callNumber(day, 'toEpochDay'),
    nanoOfDay: clock === null ? null : callNumber(clock, 'toNanoOfDay'),
    year: day === null ? null : callNumber(day, 'year'),
    month: day === null ? null : callNumber(day, 'monthValue'),
    day: day === null ? null : callNumber(day, 'dayOfMonth'),
    offsetMs: offset === undefined ? null : timeZone(offset).fixedOffset,
    zone: zone === undefined ? null : timeZone(zone),
  };
}

/** Makes a value of a class of what a formatter read. */
export function fromParsed(type: string, { text, parsed }: ParsedText): unknown {
  const value = guarded(() => make(type, parsed));
  if (value !== null) return fromJoda(value);
  throw new Thrown(
    'java.time.format.DateTimeParseException',
    `Text '${text}' could not be parsed: Unable to obtain ${type} from TemporalAccessor: ${shown(parsed)}`,
  );
}

/** What was read, as Java prints it. */
function shown(parsed: ParsedDate): string {
  const parts = ['LocalDate', 'LocalTime'].map((type) => make(type, parsed)).filter((part) => part !== null);
  const zone = parsed.zone === null ? '' : `,${parsed.zone.id}`;
  return `{},ISO${zone} resolved to ${parts.map(String).join('T')} of type java.time.format.Parsed`;
}

function make(type: string, parsed: ParsedDate): unknown {
  const module = joda();
  const date = parsed.days === null ? null : call(module['LocalDate']!, 'ofEpochDay', parsed.days);
  const time = parsed.nanoOfDay === null ? null : call(module['LocalTime']!, 'ofNanoOfDay', parsed.nanoOfDay);
  const local = date === null || time === null ? null : call(module['LocalDateTime']!, 'of', date, time);
  const offset =
    parsed.offsetMs === null ? null : call(module['ZoneOffset']!, 'ofTotalSeconds', parsed.offsetMs / 1000);
  const zone = parsed.zone === null ? offset : call(module['ZoneId']!, 'of', parsed.zone.id);
  switch (type) {
    case 'LocalDate':
      return date;
    case 'LocalTime':
      return time;
    case 'LocalDateTime':
      return local;
    case 'Year':
      return parsed.year === null ? null : call(module['Year']!, 'of', parsed.year);
    case 'YearMonth':
      if (parsed.year === null || parsed.month === null) return null;
      return call(module['YearMonth']!, 'of', parsed.year, parsed.month);
    case 'MonthDay':
      if (parsed.month === null || parsed.day === null) return null;
      return call(module['MonthDay']!, 'of', parsed.month, parsed.day);
    case 'OffsetTime':
      return time === null || offset === null ? null : call(module['OffsetTime']!, 'of', time, offset);
    default:
      return local === null || zone === null ? null : zoned(type, local as JodaObject, zone, offset);
  }
}

/** A moment of a zone; an offset that the text has too says which one of a repeated hour is meant. */
function zoned(type: string, local: JodaObject, zone: unknown, offset: unknown): unknown {
  const { ZonedDateTime } = joda();
  const value = call(ZonedDateTime!, 'ofLocal', local, zone, offset) as JodaObject;
  if (type === 'ZonedDateTime') return value;
  if (type === 'Instant') return call(value, 'toInstant');
  return type === 'OffsetDateTime' ? call(value, 'toOffsetDateTime') : null;
}
