import { javaPattern, type JavaPattern, UTC, type Zone } from '@shoal/values';
import { isApiError } from '@shoal/errors';
import { scriptEnvironment } from '../../runtime/environment.js';
import { DecimalFormat } from '../../runtime/decimal-format.js';
import { DecimalFormatSymbols } from '../../runtime/decimal-format-symbols.js';
import { formatText } from '../../runtime/format-text.js';
import { JavaDate } from '../../runtime/java-date.js';
import type { RoundingMode } from '../../runtime/numbers/rounding.js';
import { kindOf, numberIn } from '../../runtime/boxes.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { UtcInstant } from '../../runtime/time/utc-instant.js';
import { ZoneValue } from '../../runtime/time/zone-value.js';
import { JavaArray, ScriptObject, type Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import type { LocaleValue } from './locale.js';

/** java.text.SimpleDateFormat, in UTC unless it gets a zone. */
class SimpleDateFormat extends ScriptObject {
  readonly javaClass = 'java.text.SimpleDateFormat';
  source: string;
  pattern: JavaPattern;
  zone: Zone = UTC;
  /** Language of the names; null for English. */
  readonly tag: string | null;

  constructor(source: string, tag: string | null = null) {
    super();
    this.source = source;
    this.tag = tag;
    this.pattern = dateTextPattern(source, tag);
  }

  format(date: JavaDate): string {
    return this.pattern.print(date.ms, 0, this.zone);
  }

  parse(text: string): JavaDate {
    try {
      const { days, year, month, nanoOfDay, offsetMs, zone } = this.pattern.parse(text);
      const start = days === null ? Date.UTC(year ?? 1970, (month ?? 1) - 1, 1) : days * 86_400_000;
      const local = start + Math.floor((nanoOfDay ?? 0) / 1e6);
      return new JavaDate(local - (offsetMs ?? (zone ?? this.zone).offsetAt(local)));
    } catch (error) {
      if (!isApiError(error)) throw error;
      throw new Thrown('java.text.ParseException', `Unparseable date: "${text}"`);
    }
  }
}

function dateTextPattern(source: string, tag: string | null): JavaPattern {
  try {
    // Letters that mean something else there: the day of the week as a number, and zones.
    return javaPattern(
      source.replace(/'[^']*'|u+|Z+/g, (part) => REPLACED[part[0]!]?.(part) ?? part),
      tag,
    );
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw illegalArgument(error.reason ?? source);
  }
}

const REPLACED: Readonly<Record<string, (part: string) => string>> = {
  u: (part) => 'e'.repeat(part.length),
  Z: () => 'xx',
};

const dateRow: ClassRow = {
  name: 'java.util.Date',
  parents: ['java.lang.Comparable'],
  constructors: {
    '()': () => new JavaDate(Math.floor(scriptEnvironment().wallMs())),
    '(long)': (ms: number) => new JavaDate(Number(ms)),
  },
  statics: {
    'Date from(java.time.Instant)': (instant: UtcInstant) => new JavaDate(instant.date.ms),
  },
  methods: {
    'long getTime()': ({ ms }: JavaDate) => ms,
    'void setTime(long)': (date: JavaDate, ms: number) => void (date.ms = Number(ms)),
    'boolean before(Date)': (a: JavaDate, b: JavaDate) => a.ms < b.ms,
    'boolean after(Date)': (a: JavaDate, b: JavaDate) => a.ms > b.ms,
    'def clone()': ({ ms }: JavaDate) => new JavaDate(ms),
  },
};

function formatValue(format: DecimalFormat | SimpleDateFormat, value: Value): string {
  if (format instanceof DecimalFormat) return format.format(value);
  if (value instanceof JavaDate) return format.format(value);
  if (kindOf(value) !== 0) return format.format(new JavaDate(Number(numberIn(value))));
  throw illegalArgument('Cannot format given Object as a Date');
}

const numberFormatRow: ClassRow = {
  name: 'java.text.NumberFormat',
  parents: ['java.text.Format'],
  statics: Object.fromEntries(
    Object.entries({
      getInstance: '#,##0.###',
      getNumberInstance: '#,##0.###',
      getIntegerInstance: '#,##0',
      getPercentInstance: '#,##0%',
    }).flatMap(([name, pattern]) => [
      [`NumberFormat ${name}()`, () => new DecimalFormat(pattern)],
      [
        `NumberFormat ${name}(Locale)`,
        ({ namesTag }: LocaleValue) => new DecimalFormat(pattern, DecimalFormatSymbols.of(namesTag)),
      ],
    ]),
  ),
  methods: {
    'Number parse(String)': (format: DecimalFormat, text: string) => format.parse(text),
    'boolean isParseIntegerOnly()': (format: DecimalFormat) => format.isWhole,
    'void setParseIntegerOnly(boolean)': (format: DecimalFormat, isWhole: boolean) => void (format.isWhole = isWhole),
    'Object parseObject(String)': (format: DecimalFormat, text: string) => format.parse(text),
    'int getMaximumFractionDigits()': (format: DecimalFormat) => format.fractionMax,
    'int getMinimumFractionDigits()': (format: DecimalFormat) => format.fractionMin,
    'int getMinimumIntegerDigits()': (format: DecimalFormat) => format.wholeMin,
    'boolean isGroupingUsed()': (format: DecimalFormat) => format.grouping > 0,
    'void setGroupingUsed(boolean)': (format: DecimalFormat, isUsed: boolean) =>
      void (format.grouping = isUsed ? 3 : 0),
    'void setMaximumFractionDigits(int)': (format: DecimalFormat, digits: number) => {
      format.fractionMax = Math.max(0, Math.min(340, digits));
      format.fractionMin = Math.min(format.fractionMin, format.fractionMax);
    },
    'void setMinimumFractionDigits(int)': (format: DecimalFormat, digits: number) => {
      format.fractionMin = Math.max(0, Math.min(340, digits));
      format.fractionMax = Math.max(format.fractionMin, format.fractionMax);
    },
    'void setMinimumIntegerDigits(int)': (format: DecimalFormat, digits: number) => {
      format.wholeMin = Math.max(0, Math.min(309, digits));
      format.wholeMax = Math.max(format.wholeMin, format.wholeMax);
    },
    'int getMaximumIntegerDigits()': (format: DecimalFormat) => format.wholeMax,
    'void setMaximumIntegerDigits(int)': (format: DecimalFormat, digits: number) => {
      format.wholeMax = Math.max(0, digits);
      format.wholeMin = Math.min(format.wholeMin, format.wholeMax);
    },
    'void setRoundingMode(RoundingMode)': (format: DecimalFormat, mode: RoundingMode) => void (format.mode = mode),
    'RoundingMode getRoundingMode()': (format: DecimalFormat) => format.mode,
  },
};

/** Texts of numbers and dates: String.format, java.text, java.util.Date. */
export const FORMATS: AllowTable = [
  {
    name: 'java.lang.String',
    statics: {
      'String format(String,def[])': (pattern: string, args: JavaArray) => formatText(pattern, args.values),
      'String format(Locale,String,def[])': (_locale: unknown, pattern: string, args: JavaArray) =>
        formatText(pattern, args.values),
    },
  },
  dateRow,
  { name: 'java.text.Format', methods: { 'String format(Object)': formatValue } },
  numberFormatRow,
  {
    name: 'java.text.DecimalFormat',
    parents: ['java.text.NumberFormat'],
    constructors: {
      '()': () => new DecimalFormat('#,##0.###'),
      '(String)': (pattern: string) => new DecimalFormat(pattern),
    },
    methods: {
      'void setGroupingSize(int)': (format: DecimalFormat, size: number) => void (format.grouping = size),
      'int getGroupingSize()': (format: DecimalFormat) => format.grouping,
      'void applyPattern(String)': (format: DecimalFormat, pattern: string) => format.applyPattern(pattern),
      'int getMultiplier()': (format: DecimalFormat) => format.multiplier,
      'String getPositivePrefix()': (format: DecimalFormat) => format.prefix,
      'String getPositiveSuffix()': (format: DecimalFormat) => format.suffix,
      'String getNegativePrefix()': (format: DecimalFormat) => format.negativeAffixes[0],
      'String getNegativeSuffix()': (format: DecimalFormat) => format.negativeAffixes[1],
      'void setNegativePrefix(String)': (format: DecimalFormat, text: string) =>
        void (format.negative = [text, format.negativeAffixes[1]]),
      'void setNegativeSuffix(String)': (format: DecimalFormat, text: string) =>
        void (format.negative = [format.negativeAffixes[0], text]),
      'boolean isDecimalSeparatorAlwaysShown()': (format: DecimalFormat) => format.isPointShown,
      'void setDecimalSeparatorAlwaysShown(boolean)': (format: DecimalFormat, isShown: boolean) =>
        void (format.isPointShown = isShown),
      'void setMultiplier(int)': (format: DecimalFormat, by: number) => void (format.multiplier = by),
      'void setPositivePrefix(String)': (format: DecimalFormat, text: string) => void (format.prefix = text),
      'void setPositiveSuffix(String)': (format: DecimalFormat, text: string) => void (format.suffix = text),
    },
  },
  {
    name: 'java.text.DateFormat',
    parents: ['java.text.Format'],
    methods: {
      'Date parse(String)': (format: SimpleDateFormat, text: string) => format.parse(text),
      'void setLenient(boolean)': () => undefined,
      'void setTimeZone(TimeZone)': (format: SimpleDateFormat, { zone }: ZoneValue) => void (format.zone = zone),
      'TimeZone getTimeZone()': (format: SimpleDateFormat) => new ZoneValue(format.zone),
    },
  },
  {
    name: 'java.text.SimpleDateFormat',
    parents: ['java.text.DateFormat'],
    constructors: {
      '(String)': (pattern: string) => new SimpleDateFormat(pattern),
      '(String,Locale)': (pattern: string, { namesTag }: LocaleValue) => new SimpleDateFormat(pattern, namesTag),
    },
    methods: {
      'String toPattern()': (format: SimpleDateFormat) => format.source,
      'void applyPattern(String)': (format: SimpleDateFormat, source: string) => {
        format.pattern = dateTextPattern(source, format.tag);
        format.source = source;
      },
    },
  },
  {
    name: 'java.util.TimeZone',
    statics: {
      'TimeZone getTimeZone(String)': (id: string) => ZoneValue.of(id),
      'TimeZone getDefault()': () => ZoneValue.of('UTC'),
    },
    methods: {
      'String getID()': ({ zone }: ZoneValue) => zone.id,
      'int getOffset(long)': ({ zone }: ZoneValue, ms: number) => zone.offsetAt(Number(ms)),
      'int getRawOffset()': ({ zone }: ZoneValue) => zone.offsetAt(0),
    },
  },
];
