import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import { dateFormat, isNamedFormat, localDateFormat, timeZone, UTC, type Zone } from '@shoal/values';

/** Parses a text to milliseconds since 1970. `zone` holds for texts that name none. */
export type DateParser = (text: string, zone: Zone) => number;

/** Seconds of TAI at the epoch, without leap seconds. */
const TAI_OFFSET = 2n ** 62n;

const SPECIAL: ReadonlyMap<string, DateParser> = new Map<string, DateParser>([
  ['UNIX', (text) => Math.round(number(text) * 1000)],
  ['UNIX_MS', (text) => wholeNumber(text)],
  ['TAI64N', (text) => taiMs(text)],
]);

function number(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value)) throw errors.numberFormat(`For input string: "${text}"`);
  return value;
}

function wholeNumber(text: string): number {
  if (/^[+-]?\d{1,19}$/.test(text)) return Number(text);
  throw errors.numberFormat(`For input string: "${text}"`);
}

function taiMs(text: string): number {
  const hex = text.replace(/^@/, '');
  if (!/^[0-9a-fA-F]{24}$/.test(hex)) throw errors.illegalArgument(`[${text}] is no TAI64N label`);
  const seconds = Number(BigInt(`0x${hex.slice(0, 16)}`) - TAI_OFFSET);
  return (seconds - 10) * 1000 + Math.floor(Number.parseInt(hex.slice(16), 16) / 1e6);
}

/** Whether a format says the year, as a named one does; texts without one are of this year. */
function namesYear(pattern: string): boolean {
  return pattern.split('||').some(isNamedFormat) || /[yuY]/.test(pattern.replace(/'[^']*'/g, ''));
}

function javaParser(pattern: string, nowMs: () => number, locale: string | null): DateParser {
  const plain = localDateFormat(pattern, locale);
  const hasYear = namesYear(pattern);
  const format = hasYear ? plain : localDateFormat(`yyyy ${pattern}`, locale);
  if (hasYear) return (text, zone) => format.parse(text, zone);
  return (text, zone) => {
    try {
      return format.parse(`${new Date(nowMs()).getUTCFullYear()} ${text}`, zone);
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      // The year in front is ours.
      throw errors.illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`);
    }
  };
}

/** Returns the parser of a format of the processors of dates: `ISO8601`, `UNIX`, `UNIX_MS`, `TAI64N`, or a pattern. */
export function dateParser(format: string, nowMs: () => number, locale: string | null = null): DateParser {
  const special = SPECIAL.get(format);
  if (special) return special;
  if (format !== 'ISO8601') return javaParser(format, nowMs, locale);
  const iso = dateFormat('iso8601');
  return (text, zone) => iso.parse(text, zone);
}

/** As `dateParser`; a format that is none is told when a text is to be parsed. */
export function dateParserOrFault(format: string, nowMs: () => number, locale: string | null): DateParser {
  try {
    return dateParser(format, nowMs, locale);
  } catch (thrown) {
    const fault = toApiError(thrown);
    return () => {
      throw fault;
    };
  }
}

/** Parses a text by the first format that fits. Throws the error of the first one. */
export function parseFirst(text: string, parsers: readonly DateParser[], zone: Zone): number {
  let first: ApiError | null = null;
  for (const parse of parsers) {
    try {
      return parse(text, zone);
    } catch (error) {
      if (!isApiError(error)) throw error;
      first ??= error;
    }
  }
  throw errors.illegalArgument(`unable to parse date [${text}]`, first === null ? {} : { cause: first });
}

/** Returns a zone by its name. Throws illegal_argument_exception for an unknown one. */
export function zoneOf(name: string): Zone {
  return name === 'UTC' || name === 'Z' ? UTC : timeZone(name);
}
