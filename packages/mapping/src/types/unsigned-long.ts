import { errors, toApiError } from '@shoal/errors';
import type { DocumentSink, FieldType, RangeBounds, ValueFormat, ValueQuery } from '../field-type.js';
import {
  docValues,
  ignoreMalformed,
  index,
  javaText,
  meta,
  nullValueParameter,
  type Parameter,
  type ParameterContext,
  store,
  timeSeriesDimension,
  timeSeriesMetric,
} from '../parameter.js';
import {
  checkSearchable,
  type FieldConfig,
  fieldType,
  type FieldTypeDefinition,
  numberLayout,
  refuseZone,
} from './definition.js';
import { exactInteger, parseDouble, splitDecimal } from './number-text.js';
import { mayIgnore, readOrIgnore, UNSIGNED_KIND, wholeBounds, wholeRange } from './whole-numbers.js';

const { max: MAX } = UNSIGNED_KIND;
/** Java's `(long) 1e19`: a double beyond the signed range is clamped to 2^63 - 1. */
const SIGNED_MAX = 2n ** 63n - 1n;
const DIGITS = /^\+?\d+$/;

const isUnsigned = (value: bigint): boolean => value >= 0n && value <= MAX;

/** Throws for values beyond 0 … 2^64 - 1. */
function checkUnsigned(value: bigint): number | bigint {
  if (!isUnsigned(value)) throw errors.illegalArgument(`Value [${value}] is out of range for unsigned long`);
  return exactInteger(value);
}

/**
 * Reads a number of the JSON source. With an exponent or a fraction it is a double in Java, and clamped at 2^63 - 1.
 */
function readNumber(value: number | bigint): number | bigint {
  if (typeof value === 'bigint' && (value >= 0n || value < -SIGNED_MAX - 1n)) return checkUnsigned(value);
  if (typeof value === 'number' && !Number.isInteger(value))
    throw errors.illegalArgument(`Value "${javaText(value)}" has a decimal part`);
  if (value < 0) throw errors.illegalArgument(`Value [${value}] is out of range for unsigned long.`);
  const whole = BigInt(value);
  return exactInteger(whole > SIGNED_MAX ? SIGNED_MAX : whole);
}

/** Reads a text: any decimal number without a fraction. */
function readText(text: string): number | bigint {
  const parts = splitDecimal(text);
  if (parts === null) throw errors.illegalArgument(`For input string: "${text}"`);
  if (parts.hasFraction) throw errors.illegalArgument(`Value "${text}" has a decimal part`);
  return checkUnsigned(parts.whole);
}

/** Reads a value as a whole number; null for an empty string. Throws the type's errors. */
function readUnsigned(value: unknown): number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return readNumber(value);
  const text = javaText(value);
  return text === '' ? null : readText(text);
}

/** Query of an exact value: a number that is not an unsigned long matches nothing; other values are refused. */
function unsignedTerm(value: unknown): ValueQuery {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return { kind: 'none', reason: `Value [${javaText(value)}] is no unsigned long` };
  const text = javaText(value);
  const whole = DIGITS.test(text) ? BigInt(text.replace('+', '')) : -1n;
  if (isUnsigned(whole)) return wholeRange(whole, whole);
  parseDouble(text);
  return { kind: 'none', reason: `Value [${text}] is no unsigned long` };
}

/** Throws for a bound that is not a decimal number, with the message of Java's BigDecimal. */
function checkBound(bound: unknown): void {
  const text = javaText(bound);
  if (splitDecimal(text) !== null) return;
  const wrong = /[^\d.eE+-]/.exec(text)?.[0] ?? text[0];
  if (wrong === undefined) throw errors.numberFormat('Index 0 out of bounds for length 0');
  throw errors.numberFormat(
    `Character ${wrong} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
  );
}

function unsignedBounds(bounds: RangeBounds): ValueQuery {
  for (const bound of [bounds.gte, bounds.gt, bounds.lte, bounds.lt])
    if (bound !== undefined && bound !== null) checkBound(bound);
  return wholeBounds(UNSIGNED_KIND, bounds);
}

function parseShown(value: unknown): number | bigint {
  const text = javaText(value);
  if (DIGITS.test(text)) {
    const whole = BigInt(text.replace('+', ''));
    if (whole <= MAX) return exactInteger(whole);
  }
  throw errors.numberFormat(`For input string: "${text}"`);
}

/** Prints all digits; a `format` of the request has no effect on this type. */
const UNSIGNED_FORMAT: ValueFormat = { toJson: (value) => value, toText: String, parse: parseShown };

function fetchUnsigned(value: unknown, nullNumber: number | bigint | null): unknown {
  try {
    return readUnsigned(value) ?? nullNumber ?? undefined;
  } catch {
    return undefined;
  }
}

function unsignedField(config: FieldConfig): FieldType {
  const { name } = config;
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const ignores = config.boolean('ignore_malformed');
  const nullValue = config.value('null_value');
  const nullNumber = nullValue === null ? null : readUnsigned(nullValue);
  const add = (sink: DocumentSink, value: number | bigint | null): void => {
    if (value !== null && layout !== null) sink.addNumber(layout, value);
  };
  return fieldType(config, {
    layout,
    valueKind: 'unsigned',
    parse(value, sink) {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) add(sink, value);
      else if (value === null) add(sink, nullNumber);
      else {
        const read = typeof value === 'number' || typeof value === 'bigint' ? value : sink.textOf(value);
        add(
          sink,
          readOrIgnore(mayIgnore(ignores, value), name, sink, () => readUnsigned(read) ?? nullNumber),
        );
      }
    },
    termQuery(value) {
      checkSearchable(name, layout);
      return unsignedTerm(value);
    },
    rangeQuery(bounds) {
      checkSearchable(name, layout);
      return unsignedBounds(bounds);
    },
    format(_format, timeZone) {
      refuseZone(config, timeZone);
      return UNSIGNED_FORMAT;
    },
    fetchValue: (value) => fetchUnsigned(value, nullNumber),
    storedValue(value) {
      const shown = fetchUnsigned(value, nullNumber);
      return shown === undefined ? undefined : String(shown);
    },
  });
}

/** `null_value` is stored as text, as 8.12 shows it. */
function readNullValue(value: unknown, { field }: ParameterContext): unknown {
  try {
    readUnsigned(value);
  } catch (error) {
    const cause = toApiError(error);
    throw errors.mapperParsing(`Error parsing [null_value] on field [${field}]: ${cause.reason}`, { cause });
  }
  return javaText(value);
}

const PARAMETERS: readonly Parameter[] = [
  index,
  docValues,
  store,
  ignoreMalformed,
  nullValueParameter(readNullValue),
  meta,
  timeSeriesDimension,
  timeSeriesMetric,
];

/** `unsigned_long`: 0 … 2^64 - 1. Columns hold the values as they are; beyond 2^53 they are exact as bigint. */
export const unsignedLong: FieldTypeDefinition = {
  name: 'unsigned_long',
  parameters: PARAMETERS,
  create: unsignedField,
};
