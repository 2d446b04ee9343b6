import { errors } from '@shoal/errors';
import { daysInMonth } from './civil.kernel.js';
import { emptyFields, FIELD, resolveFields } from './fields.js';
import { withLocalNames } from './locale-names.js';
import { parseElements } from './parse-text.js';
import { compilePattern, type Element } from './pattern.js';
import { lettersOf, printElements } from './print-text.js';
import { UTC, type Zone } from './zone.js';

/** What a text says by a pattern of java.time; null for what it does not say. */
export interface ParsedDate {
  /** Days since 1970-01-01. */
  readonly days: number | null;
  /** Nanoseconds since midnight. */
  readonly nanoOfDay: number | null;
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** Milliseconds to add to UTC. */
  readonly offsetMs: number | null;
  readonly zone: Zone | null;
}

/** A pattern of java.time's DateTimeFormatter. */
export interface JavaPattern {
  /** Its letters, without literals and optional sections. */
  readonly letters: string;
  readonly elements: readonly Element[];
  /**
   * Prints a moment (UTC milliseconds and 0-999,999 nanoseconds) in a zone. `has` tells which letters it has values
   * for: optional sections with others are left out.
   */
  print(ms: number, nanos: number, zone: Zone, has?: (letter: string) => boolean): string;
  /** Throws date_time_parse_exception, or date_time_exception for a day that does not exist. */
  parse(text: string): ParsedDate;
}

const DAY_MS = 86_400_000;
const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value);

function parsed(values: Float64Array, zone: Zone | null): ParsedDate {
  const has = (...fields: number[]): boolean => fields.every((field) => !Number.isNaN(values[field]!));
  const hasDate =
    has(FIELD.year, FIELD.month, FIELD.day) ||
    has(FIELD.year, FIELD.dayOfYear) ||
    has(FIELD.weekYear, FIELD.week, FIELD.weekday);
  const hasTime =
    has(FIELD.hour) || has(FIELD.hourOfHalf, FIELD.halfDay) || has(FIELD.nanoOfDay) || has(FIELD.milliOfDay);
  const offsetMs = known(values[FIELD.offset]);
  const local = Float64Array.from(values);
  local[FIELD.offset] = Number.NaN;
  moveIntoMonth(local);
  const { ms, nanos } = hasDate || hasTime ? resolveFields({ values: local, zone: UTC }, UTC, false) : NOTHING;
  const days = Math.floor(ms / DAY_MS);
  return {
    days: hasDate ? days : null,
    nanoOfDay: hasTime ? (ms - days * DAY_MS) * 1e6 + nanos : null,
    year: known(values[FIELD.year]),
    month: known(values[FIELD.month]),
    day: known(values[FIELD.day]),
    offsetMs,
    zone,
  };
}

/** Makes a day behind the end of its month, up to the 31st, the last one of it, as java.time's ResolverStyle.SMART. */
function moveIntoMonth(values: Float64Array): void {
  const [year, month, day] = [values[FIELD.year]!, values[FIELD.month]!, values[FIELD.day]!];
  if (Number.isNaN(year + month + day)) return;
  values[FIELD.day] = Math.min(day, daysInMonth(values[FIELD.era] === 0 ? 1 - year : year, month));
}

const NOTHING = { ms: 0, nanos: 0 };

/**
 * Compiles a pattern as `DateTimeFormatter.ofPattern`. `locale` is the language of its names, a tag of BCP 47; null for
 * English. Throws illegal_argument_exception for a malformed pattern.
 */
export function javaPattern(pattern: string, locale: string | null = null): JavaPattern {
  return patternOf(compilePattern(pattern), locale);
}

/** Makes a pattern of its elements, with names of a language. */
export function patternOf(given: readonly Element[], locale: string | null = null): JavaPattern {
  const elements = locale === null ? given : withLocalNames(given, locale);
  return {
    letters: lettersOf(elements),
    elements,
    print: (ms, nanos, zone, has) => printElements(elements, ms, nanos, zone, has),
    parse(text) {
      const fields = emptyFields();
      const end = parseElements(elements, text, 0, fields);
      if (end < 0) throw errors.dateTimeParse(`Text '${text}' could not be parsed at index ${~end}`);
      if (end < text.length)
        throw errors.dateTimeParse(`Text '${text}' could not be parsed, unparsed text found at index ${end}`);
      return parsed(fields.values, fields.zone);
    },
  };
}
