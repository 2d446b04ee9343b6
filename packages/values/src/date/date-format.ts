import { ApiError, errors, toApiError } from '@shoal/errors';
import { builtinFormat } from './builtin-formats.js';
import { parseCommonIso } from './civil.kernel.js';
import { applyDateMath } from './date-math.js';
import { emptyFields, FIELD, type Fields, type Moment, resolveFields } from './fields.js';
import { parseElements } from './parse-text.js';
import { compilePattern, type Element } from './pattern.js';
import { printElements } from './print-text.js';
import { UTC, type Zone } from './zone.js';

/** How a rounded bound is read: see `DateFormat.parseRounded`. */
export interface RoundedOptions {
  /** Missing parts and `/unit` become the end of their span rather than its start. */
  readonly roundUp: boolean;
  /** The time that `now` stands for, UTC milliseconds; called only for a text that says `now`. */
  readonly now: () => number;
  /** Zone of texts that name none, and of rounding. UTC unless given. */
  readonly zone?: Zone | undefined;
}

/** Reads and prints dates by one pattern or several alternatives (`a||b`); printing uses the first. */
export interface DateFormat {
  readonly pattern: string;
  /**
   * UTC milliseconds, cut below. Throws illegal_argument_exception `failed to parse date field [x] with format [f]`.
   */
  parse(text: string, zone?: Zone): number;
  /** UTC nanoseconds. Throws as `parse`. */
  parseNanos(text: string, zone?: Zone): bigint;
  /** UTC milliseconds of a text or of date math (`now-1d/d`, `2024||+1M/M`). Throws parse_exception. */
  parseRounded(text: string, options: RoundedOptions): number;
  /** Text of UTC milliseconds, with `nanos` nanoseconds beyond them. */
  print(ms: number, zone?: Zone, nanos?: number): string;
}

/** One alternative: parse fills `fields` and returns the end or the complement of the error's place. */
interface Alternative {
  parse(text: string, fields: Fields): number;
  print(ms: number, nanos: number, zone: Zone): string;
  readonly isIso: boolean;
  /** Epoch formats are made of alternatives themselves and say so in their error. */
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
  const nanos = Number((match[2] ?? '').padEnd(6, '0'));
  storeEpoch(fields, Number(match[1]), match[1]!.startsWith('-') ? -nanos : nanos);
  return text.length;
}

function parseEpochSecond(text: string, fields: Fields): number {
  const match = EPOCH_SECOND.exec(text);
  if (!match) return ~0;
  const nanos = Number((match[2] ?? '').padEnd(9, '0'));
  storeEpoch(fields, Number(match[1]) * 1000, match[1]!.startsWith('-') ? -nanos : nanos);
  return text.length;
}

function printEpochMillis(ms: number, nanos: number): string {
  return nanos === 0 ? String(ms) : `${ms}.${String(nanos).padStart(6, '0').replace(/0+$/, '')}`;
}

function printEpochSecond(ms: number, nanos: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = (ms - seconds * 1000) * 1e6 + nanos;
  return rest === 0 ? String(seconds) : `${seconds}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
}

const ISO_MS_MIN = -62_167_219_200_000;
const ISO_MS_MAX = 253_402_300_799_999;

function printIso(elements: readonly Element[], ms: number, nanos: number, zone: Zone): string {
  if (zone.fixedOffset === 0 && nanos === 0 && ms >= ISO_MS_MIN && ms <= ISO_MS_MAX) return new Date(ms).toISOString();
  return printElements(elements, ms, nanos, zone);
}

function alternative(name: string): Alternative {
  if (name === 'epoch_millis') return { parse: parseEpochMillis, print: printEpochMillis, isIso: false, isEpoch: true };
  if (name === 'epoch_second') return { parse: parseEpochSecond, print: printEpochSecond, isIso: false, isEpoch: true };
  const builtin = builtinFormat(name);
  const elements = compilePattern(builtin?.parse ?? name, builtin !== null);
  const printer = builtin ? compilePattern(builtin.print, true) : elements;
  const parse = (text: string, fields: Fields): number => parseElements(elements, text, 0, fields);
  const isIso =
    name === 'strict_date_optional_time' ||
    name === 'date_optional_time' ||
    name === 'iso8601' ||
    name === 'strict_date_optional_time_nanos';
  const print = (ms: number, nanos: number, zone: Zone): string =>
    isIso ? printIso(printer, ms, nanos, zone) : printElements(printer, ms, nanos, zone);
  return { parse, print, isIso, isEpoch: false };
}

function placeReason(text: string, end: number): string {
  return end < 0
    ? `Text '${text}' could not be parsed at index ${~end}`
    : `Text '${text}' could not be parsed, unparsed text found at index ${end}`;
}

/** The first alternative that takes the whole text; throws what Elasticsearch does when none does. */
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

/** Days that do not exist are found when fields are put together: another alternative may still take the text. */
function parseMoment(
  alternatives: readonly Alternative[],
  text: string,
  pattern: string,
  zone: Zone,
  roundUp: boolean,
): Moment {
  if (text.trim() === '') throw errors.illegalArgument('cannot parse empty date');
  try {
    return resolveFields(parseFields(alternatives, text, pattern), zone, roundUp);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.type !== 'date_time_exception' || alternatives.every((one) => !one.isIso)) throw error;
    throw errors.illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`, {
      cause: errors.dateTimeParse('Failed to parse with all enclosed parsers'),
    });
  }
}

function rounded(alternatives: readonly Alternative[], text: string, pattern: string, options: RoundedOptions): number {
  const zone = options.zone ?? UTC;
  if (text.startsWith('now')) return applyDateMath(text.slice(3), options.now(), zone, options.roundUp);
  const mathAt = text.indexOf('||');
  const date = mathAt < 0 ? text : text.slice(0, mathAt);
  if (date === '') throw errors.parse('cannot parse empty date');
  try {
    const moment = parseMoment(alternatives, date, pattern, zone, mathAt < 0 && options.roundUp);
    return mathAt < 0 ? moment.ms : applyDateMath(text.slice(mathAt + 2), moment.ms, zone, options.roundUp);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.type !== 'illegal_argument_exception') throw thrown;
    throw errors.parse(`failed to parse date field [${date}] with format [${pattern}]: [${thrown.reason}]`, {
      cause: thrown,
    });
  }
}

/**
 * A format by its pattern: built-in names, patterns of java.time, alternatives separated by `||`.
 * Throws illegal_argument_exception `Invalid format: [x]: …`.
 */
export function dateFormat(pattern: string): DateFormat {
  const names = pattern.split('||');
  const alternatives = names.map((name) => {
    try {
      return alternative(name);
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
    parseNanos(text, zone = UTC) {
      const moment = parseMoment(alternatives, text, pattern, zone, false);
      return BigInt(moment.ms) * 1_000_000n + BigInt(Math.round(moment.nanos));
    },
    parseRounded: (text, options) => rounded(alternatives, text, pattern, options),
    print: (ms, zone = UTC, nanos = 0) => first.print(ms, nanos, zone),
  };
}
