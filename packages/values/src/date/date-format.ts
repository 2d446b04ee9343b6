import { ApiError, errors, toApiError } from '@shoal/errors';
import { builtinFormat } from './builtin-formats.js';
import { parseCommonIso } from './civil.kernel.js';
import { applyDateMath } from './date-math.js';
import { emptyFields, FIELD, type Fields, type Moment, resolveFields } from './fields.js';
import { withLocalNames } from './locale-names.js';
import { parseElements } from './parse-text.js';
import { compilePattern, type Element } from './pattern.js';
import { printElements } from './print-text.js';
import { UTC, type Zone } from './zone.js';

/** Options of `DateFormat.parseRounded`. */
export interface RoundedOptions {
  /** Whether missing fields and `/unit` round to the last millisecond of their interval instead of the first. */
  readonly roundUp: boolean;
  /** Returns the value of `now` in UTC milliseconds; called only for a text that begins with `now`. */
  readonly now: () => number;
  /** Zone of texts that name none, and of rounding; UTC by default. */
  readonly zone?: Zone | undefined;
}

/** Parses and prints dates by one pattern or several alternatives (`a||b`); printing uses the first. */
export interface DateFormat {
  readonly pattern: string;
  /** Whether a text has this form. It may still name a day that does not exist. */
  matches(text: string): boolean;
  /**
   * Parses to UTC milliseconds, rounded down. `zone` (UTC by default) is used if the text names none. Throws
   * illegal_argument_exception `failed to parse date field [x] with format [f]`.
   */
  parse(text: string, zone?: Zone): number;
  /** Parses to UTC nanoseconds. Throws as `parse`. */
  parseNanos(text: string, zone?: Zone): bigint;
  /** Parses a text or date math (`now-1d/d`, `2024||+1M/M`) to UTC milliseconds. Throws parse_exception. */
  parseRounded(text: string, options: RoundedOptions): number;
  /** As `parseRounded`, to UTC nanoseconds; rounding of date math ends with the last millisecond, as in 8.12. */
  parseRoundedNanos(text: string, options: RoundedOptions): bigint;
  /**
   * Prints UTC milliseconds plus `nanos` (0-999,999) nanoseconds in `zone` (UTC by default). A bigint prints all its
   * digits beyond 2^53.
   */
  print(ms: number | bigint, zone?: Zone, nanos?: number): string;
}

/** One alternative of a format. */
interface Alternative {
  /** Fills `fields`; returns the index after the parsed text, or the bitwise complement of the index of the error. */
  parse(text: string, fields: Fields): number;
  print(ms: number | bigint, nanos: number, zone: Zone): string;
  /** Whether it is one of the `date_optional_time` formats, which the fast ISO parser and printer serve. */
  readonly isIso: boolean;
  /** Whether it is an `epoch_` format. In Elasticsearch it consists of several parsers, which its error text shows. */
  readonly isEpoch: boolean;
}

const EPOCH_MILLIS = /^(-?\d{1,19})(?:\.(\d{1,6}))?$/;
const EPOCH_SECOND = /^(-?\d{1,16})(?:\.(\d{1,9}))?$/;
const LONG_MAX = 9_223_372_036_854_775_807n;

function storeEpoch(fields: Fields, ms: number, nanos: number): void {
  const floorMs = Math.floor(nanos / 1e6);
  fields.values[FIELD.epochMillis] = ms + floorMs;
  fields.values[FIELD.epochNanos] = nanos - floorMs * 1e6;
}

function parseEpochMillis(text: string, fields: Fields): number {
  const match = EPOCH_MILLIS.exec(text);
  if (!match || (match[1]!.length > 18 && BigInt(match[1]!.replace('-', '')) > LONG_MAX)) return ~0;
  if (match[2] === undefined) fields.values[FIELD.epochMillis] = Number(match[1]);
  else {
    const nanos = Number(match[2].padEnd(6, '0'));
    storeEpoch(fields, Number(match[1]), match[1]!.startsWith('-') ? -nanos : nanos);
  }
  return text.length;
}

function parseEpochSecond(text: string, fields: Fields): number {
  const match = EPOCH_SECOND.exec(text);
  if (!match) return ~0;
  const nanos = Number((match[2] ?? '').padEnd(9, '0'));
  storeEpoch(fields, Number(match[1]) * 1000, match[1]!.startsWith('-') ? -nanos : nanos);
  return text.length;
}

function printEpochMillis(ms: number | bigint, nanos: number): string {
  return nanos === 0 ? String(ms) : `${ms}.${String(nanos).padStart(6, '0').replace(/0+$/, '')}`;
}

function printEpochSecond(ms: number | bigint, nanos: number): string {
  if (typeof ms === 'bigint') return epochSecondOfBig(ms, nanos);
  const seconds = Math.floor(ms / 1000);
  const rest = (ms - seconds * 1000) * 1e6 + nanos;
  return rest === 0 ? String(seconds) : `${seconds}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
}

/** Seconds with the fraction behind them as it is, of negative numbers too: -1 ms prints as `-0.001`. */
function epochSecondOfBig(ms: bigint, nanos: number): string {
  const size = ms < 0n ? -ms : ms;
  const rest = Number(size % 1000n) * 1e6 + nanos;
  const text = `${ms < 0n ? '-' : ''}${size / 1000n}`;
  return rest === 0 ? text : `${text}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
}

const ISO_MS_MIN = -62_167_219_200_000;
const ISO_MS_MAX = 253_402_300_799_999;

function printIso(elements: readonly Element[], ms: number | bigint, nanos: number, zone: Zone): string {
  if (zone.fixedOffset === 0 && nanos === 0 && ms >= ISO_MS_MIN && ms <= ISO_MS_MAX)
    return new Date(Number(ms)).toISOString();
  return printElements(elements, ms, nanos, zone);
}

function alternative(name: string, locale: string | null): Alternative {
  if (name === 'epoch_millis') return { parse: parseEpochMillis, print: printEpochMillis, isIso: false, isEpoch: true };
  if (name === 'epoch_second') return { parse: parseEpochSecond, print: printEpochSecond, isIso: false, isEpoch: true };
  const builtin = builtinFormat(name);
  const compiled = compilePattern(builtin?.parse ?? name, builtin !== null);
  const elements = locale === null ? compiled : withLocalNames(compiled, locale);
  const printer = builtin ? compilePattern(builtin.print, true) : elements;
  const parse = (text: string, fields: Fields): number => parseElements(elements, text, 0, fields);
  const isIso =
    name === 'strict_date_optional_time' ||
    name === 'date_optional_time' ||
    name === 'iso8601' ||
    name === 'strict_date_optional_time_nanos';
  const print = (ms: number | bigint, nanos: number, zone: Zone): string =>
    isIso ? printIso(printer, ms, nanos, zone) : printElements(printer, ms, nanos, zone);
  return { parse, print, isIso, isEpoch: false };
}

function placeReason(text: string, end: number): string {
  return end < 0
    ? `Text '${text}' could not be parsed at index ${~end}`
    : `Text '${text}' could not be parsed, unparsed text found at index ${end}`;
}

/** Fields by the first alternative that takes the whole text. Throws illegal_argument_exception if none does. */
function matches(alternatives: readonly Alternative[], text: string): boolean {
  if (text.length === 0) return false;
  const fields = emptyFields();
  return alternatives.some((one) => {
    fields.values.fill(Number.NaN);
    return one.parse(text, fields) === text.length;
  });
}

function parseFields(alternatives: readonly Alternative[], text: string, pattern: string): Fields {
  let end = ~0;
  for (const one of alternatives) {
    const fields = emptyFields();
    end = one.parse(text, fields);
    if (end === text.length && text.length > 0) return fields;
  }
  const single = alternatives.length === 1 && !alternatives[0]!.isEpoch;
  const cause = errors.dateTimeParse(single ? placeReason(text, end) : 'Failed to parse with all enclosed parsers');
  throw errors.illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`, { cause });
}

/**
 * Parses a text to a moment. A day that does not exist (`2023-02-29`) fails only when the fields are resolved, with
 * date_time_exception; for the `date_optional_time` formats Elasticsearch reports it as a failure of all parsers.
 */
function parseMoment(
  alternatives: readonly Alternative[],
  text: string,
  pattern: string,
  zone: Zone,
  roundUp: boolean,
): Moment {
  if (text.trim() === '') throw errors.illegalArgument('cannot parse empty date');
  try {
    const moment = resolveFields(parseFields(alternatives, text, pattern), zone, roundUp);
    return roundUp && alternatives.some(({ isEpoch }) => isEpoch) ? endOfEpoch(moment, alternatives, text) : moment;
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.type !== 'date_time_exception' || alternatives.every((one) => !one.isIso)) throw error;
    throw errors.illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`, {
      cause: errors.dateTimeParse('Failed to parse with all enclosed parsers'),
    });
  }
}

/** The last nanosecond of what a number of seconds or milliseconds without a fraction names. */
function endOfEpoch(moment: Moment, alternatives: readonly Alternative[], text: string): Moment {
  if (text.includes('.')) return moment;
  const taken = alternatives.find((one) => one.parse(text, emptyFields()) === text.length);
  if (taken?.print === printEpochMillis) return { ms: moment.ms, nanos: 999_999 };
  return taken?.print === printEpochSecond ? { ms: moment.ms + 999, nanos: 999_999 } : moment;
}

/** Applies date math; what is smaller than a millisecond stays, unless the math rounds. */
function withMath(math: string, { ms, nanos }: Moment, zone: Zone, roundUp: boolean): Moment {
  return { ms: applyDateMath(math, ms, zone, roundUp), nanos: math.includes('/') ? 0 : nanos };
}

const nanosOf = ({ ms, nanos }: Moment): bigint => BigInt(ms) * 1_000_000n + BigInt(Math.round(nanos));

function rounded(alternatives: readonly Alternative[], text: string, pattern: string, options: RoundedOptions): Moment {
  const zone = options.zone ?? UTC;
  if (text.startsWith('now')) return withMath(text.slice(3), { ms: options.now(), nanos: 0 }, zone, options.roundUp);
  const mathAt = text.indexOf('||');
  const date = mathAt < 0 ? text : text.slice(0, mathAt);
  if (date === '') throw errors.parse('cannot parse empty date');
  try {
    const moment = parseMoment(alternatives, date, pattern, zone, mathAt < 0 && options.roundUp);
    return mathAt < 0 ? moment : withMath(text.slice(mathAt + 2), moment, zone, options.roundUp);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.type !== 'illegal_argument_exception') throw thrown;
    throw errors.parse(`failed to parse date field [${date}] with format [${pattern}]: [${thrown.reason}]`, {
      cause: thrown,
    });
  }
}

/** Characters of a format at most: it is compiled in one piece. */
const PATTERN_MAX = 65_536;

/**
 * Compiles a format: built-in names or patterns of java.time, alternatives separated by `||`. Throws
 * illegal_argument_exception `Invalid format: [x]: …`, and for one that is too long.
 */
export function dateFormat(pattern: string): DateFormat {
  return compileFormat(pattern, null);
}

/** As `dateFormat`, with months and days named in a language: a tag of BCP 47; null for English. */
export function localDateFormat(pattern: string, locale: string | null): DateFormat {
  return compileFormat(pattern, locale);
}

function compileFormat(pattern: string, locale: string | null): DateFormat {
  if (pattern.length > PATTERN_MAX)
    throw errors.illegalArgument(`a date format has [${pattern.length}] characters, more than [${PATTERN_MAX}]`);
  const names = pattern.split('||');
  const alternatives = names.map((name) => {
    try {
      return alternative(name, locale);
    } catch (thrown) {
      const cause = toApiError(thrown);
      throw errors.illegalArgument(`Invalid format: [${name}]: ${cause.reason}`, { cause });
    }
  });
  const startsWithIso = alternatives[0]!.isIso;
  const first = alternatives[0]!;
  return {
    pattern,
    parse(text, zone = UTC) {
      if (startsWithIso && zone.fixedOffset === 0) {
        const common = parseCommonIso(text);
        if (!Number.isNaN(common)) return common;
      }
      return parseMoment(alternatives, text, pattern, zone, false).ms;
    },
    matches: (text) => matches(alternatives, text),
    parseNanos(text, zone = UTC) {
      return nanosOf(parseMoment(alternatives, text, pattern, zone, false));
    },
    parseRounded: (text, options) => rounded(alternatives, text, pattern, options).ms,
    parseRoundedNanos: (text, options) => nanosOf(rounded(alternatives, text, pattern, options)),
    print: (ms, zone = UTC, nanos = 0) => first.print(ms, nanos, zone),
  };
}
