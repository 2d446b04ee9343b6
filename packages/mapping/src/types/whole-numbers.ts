import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import { DocumentFault, tokenFault, tokenName } from '../document-fault.js';
import type { DocumentSink, FieldType, RangeBounds, ValueQuery } from '../field-type.js';
import {
  coerce,
  docValues,
  ignoreMalformed,
  index,
  javaText,
  meta,
  nullValueParameter,
  onScriptError,
  type Parameter,
  script,
  store,
  timeSeriesDimension,
  timeSeriesMetric,
} from '../parameter.js';
import { rangeOrReversed } from '../reversed-range.js';
import { checkSearchable, type FieldConfig, fieldType, type FieldTypeDefinition, numberLayout } from './definition.js';
import { wholeFormat } from './number-format.js';
import { exactInteger, notNumeric, parseDouble, splitDecimal } from './number-text.js';

/** A whole-number type: its names in messages and its bounds. */
export interface WholeKind {
  readonly name: string;
  /** As in `out of range for a long`. */
  readonly article: string;
  readonly min: bigint;
  readonly max: bigint;
  /** Name of the type in the JSON parser's `out of range of int`; null if the parser does not check its range. */
  readonly tokenName: string | null;
  /** Java's name in `Long value passed as String`; a byte is read as an integer first. */
  readonly javaName: string;
}

/** The bounds of the whole-number types. */
export const WHOLE_KINDS = {
  long: {
    name: 'long',
    article: 'a long',
    min: -(2n ** 63n),
    max: 2n ** 63n - 1n,
    tokenName: 'long (-9223372036854775808 - 9223372036854775807)',
    javaName: 'Long',
  },
  integer: {
    name: 'integer',
    article: 'an integer',
    min: -(2n ** 31n),
    max: 2n ** 31n - 1n,
    tokenName: 'int (-2147483648 - 2147483647)',
    javaName: 'Integer',
  },
  short: {
    name: 'short',
    article: 'a short',
    min: -(2n ** 15n),
    max: 2n ** 15n - 1n,
    tokenName: 'Java short',
    javaName: 'Short',
  },
  byte: { name: 'byte', article: 'a byte', min: -128n, max: 127n, tokenName: null, javaName: 'Integer' },
} as const satisfies Record<string, WholeKind>;

/** The bounds of `unsigned_long`, whose values are read by unsigned-long.ts. */
export const UNSIGNED_KIND = {
  name: 'unsigned_long',
  article: 'an unsigned long',
  min: 0n,
  max: 2n ** 64n - 1n,
  tokenName: null,
  javaName: 'Long',
} as const satisfies WholeKind;

function outOfRange(kind: WholeKind, text: string): Error {
  return errors.illegalArgument(`Value [${text}] is out of range for ${kind.article}`);
}

function checkBounds(kind: WholeKind, whole: number | bigint, text: string): number | bigint {
  if (whole < kind.min || whole > kind.max) throw outOfRange(kind, text);
  return exactInteger(whole);
}

/** Reads a number of the JSON source; some numbers out of range are refused in the words of the JSON parser. */
function readNumber(kind: WholeKind, value: number | bigint, coerces: boolean): number | bigint {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  if (!coerces && !isWhole)
    throw errors.illegalArgument(
      `${formatDouble(Number(value))} cannot be converted to ${kind.javaName} without data loss`,
    );
  const tooLow = typeof value === 'number' ? value < Number(kind.min) : value < kind.min;
  const isCutFirst = kind.name === 'short' || kind.name === 'byte';
  const tooHigh =
    typeof value === 'number'
      ? (isCutFirst ? Math.trunc(value) : value) > Number(kind.max) || value >= 2 ** 64
      : value > kind.max;
  if (tooLow || tooHigh) {
    const text = javaText(value);
    if (kind.tokenName !== null)
      throw tokenFault('inputCoercion', `Numeric value (${text}) out of range of ${kind.tokenName}`);
    throw outOfRange(kind, text);
  }
  return exactInteger(typeof value === 'bigint' ? value : Math.trunc(value));
}

/** Reads a text; decimals are truncated; null for an empty string. */
function readText(kind: WholeKind, text: string, coerces: boolean): number | bigint | null {
  if (!coerces) throw errors.illegalArgument(`${kind.javaName} value passed as String`);
  if (text === '') return null;
  if (kind.name !== 'long') return readShortText(kind, text);
  const parts = splitDecimal(text);
  if (!parts) throw errors.illegalArgument(`For input string: "${text}"`);
  if (!parts.hasFraction) return checkBounds(kind, parts.whole, text);
  const isBeyond = parts.whole < kind.min || parts.whole >= kind.max;
  if (isBeyond && Math.abs(Number(text)) > Number(kind.max)) throw outOfRange(kind, text);
  return exactInteger(parts.whole);
}

/** Reads a text of a type below `long`: as a double, whose fraction is cut off. A byte is an integer first. */
function readShortText(kind: WholeKind, text: string): number {
  const value = parseDouble(text);
  const bounds = kind.name === 'byte' ? WHOLE_KINDS.integer : kind;
  if (value < Number(bounds.min) || value > Number(bounds.max)) throw outOfRange(bounds, text);
  const whole = Number.isNaN(value) ? 0 : Math.trunc(value) + 0;
  if (whole < kind.min || whole > kind.max) throw outOfRange(kind, String(whole));
  return whole;
}

/** Reads a document's value as a whole number; null for an empty string. Throws the type's errors. */
export function readWhole(kind: WholeKind, value: unknown, coerces: boolean): number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return readNumber(kind, value, coerces);
  if (typeof value === 'string') return readText(kind, value, coerces);
  if (typeof value === 'boolean')
    throw tokenFault(
      'jsonParse',
      `Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`,
    );
  throw errors.illegalArgument('Cannot parse object as number');
}

/** Reads a value of a query: its exact whole part, and whether a fraction follows. */
function readQueryNumber(value: unknown): {
  readonly whole: bigint;
  readonly hasFraction: boolean;
  readonly isNegative: boolean;
} {
  const text = typeof value === 'string' ? value : javaText(value);
  const parts = splitDecimal(text);
  if (parts) return parts;
  throw notNumeric(text);
}

/** A primitive query for inclusive bounds; bounds are numbers if exact, else bigints. */
export function wholeRange(low: bigint, high: bigint): ValueQuery {
  if (low > high) return { kind: 'none' };
  const exactLow = exactInteger(low);
  const exactHigh = exactInteger(high);
  if (typeof exactLow === 'number' && typeof exactHigh === 'number')
    return { kind: 'number', low: exactLow, high: exactHigh };
  return { kind: 'bigNumber', low, high };
}

const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 64n;

/** Query of a range on whole numbers; a decimal bound moves to the next whole number inside. */
export function wholeBounds(kind: WholeKind, bounds: RangeBounds): ValueQuery {
  let low = MIN_LONG;
  let high = MAX_LONG;
  const lowValue = bounds.gte ?? bounds.gt ?? null;
  const highValue = bounds.lte ?? bounds.lt ?? null;
  if (lowValue !== null) {
    const { whole, hasFraction, isNegative } = readQueryNumber(lowValue);
    const isExclusive = (bounds.gt ?? null) !== null;
    low = hasFraction ? (isNegative ? whole : whole + 1n) : isExclusive ? whole + 1n : whole;
  }
  if (highValue !== null) {
    const { whole, hasFraction, isNegative } = readQueryNumber(highValue);
    const isExclusive = (bounds.lt ?? null) !== null;
    high = hasFraction ? (isNegative ? whole - 1n : whole) : isExclusive ? whole - 1n : whole;
  }
  const isOpen = low <= kind.min && high >= kind.max;
  if (isOpen) return { kind: 'number', low: -Infinity, high: Infinity };
  return clampedRange(kind, low, high);
}

/** A bound beyond the type's values is dropped, so that the other bound can stay a number. */
function clampedRange(kind: WholeKind, low: bigint, high: bigint): ValueQuery {
  if (low > kind.max || high < kind.min) return { kind: 'none' };
  const exactLow = low <= kind.min ? -Infinity : exactInteger(low);
  const exactHigh = high >= kind.max ? Infinity : exactInteger(high);
  if (typeof exactLow === 'number' && typeof exactHigh === 'number')
    return rangeOrReversed({ kind: 'number', low: exactLow, high: exactHigh });
  const [from, to] = [low < kind.min ? kind.min : low, high > kind.max ? kind.max : high];
  return rangeOrReversed({ kind: 'bigNumber', low: from, high: to });
}

/** Query of an exact value: a decimal matches nothing, a value out of range is refused. */
export function wholeTerm(kind: WholeKind, value: unknown): ValueQuery {
  const { whole, hasFraction } = readQueryNumber(value);
  if (hasFraction) return { kind: 'none', reason: `Value [${javaText(value)}] has a decimal part` };
  const bounds: WholeKind = kind.name === 'byte' || kind.name === 'short' ? WHOLE_KINDS.integer : kind;
  if (whole < bounds.min || whole > bounds.max) throw outOfRange(bounds, javaText(value));
  return wholeRange(whole, whole);
}

function isFault(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ApiError' || error instanceof DocumentFault);
}

/** Whether a field that ignores malformed values may ignore this one: objects are refused all the same. */
export const mayIgnore = (ignores: boolean, value: unknown): boolean => ignores && typeof value !== 'object';

/**
 * Calls `read`. If the field ignores malformed values, an invalid value is dropped and the field is added to
 * `_ignored`.
 */
export function readOrIgnore<Value>(
  ignores: boolean,
  name: string,
  sink: DocumentSink,
  read: () => Value,
): Value | null {
  if (!ignores) return read();
  try {
    return read();
  } catch (error) {
    if (!isFault(error)) throw error;
    sink.ignore(name);
    return null;
  }
}

/** A field of whole numbers. */
export function wholeField(config: FieldConfig, kind: WholeKind): FieldType {
  const { name } = config;
  const layout = numberLayout(name, 'long', config.boolean('index'), config.boolean('doc_values'));
  const coerces = config.boolean('coerce');
  const ignores = config.boolean('ignore_malformed');
  const nullValue = config.value('null_value');
  const nullNumber = nullValue === null ? null : readWhole(kind, nullValue, true);
  const queried = rangesOf(kind);
  const min = Number(kind.min);
  const max = Number(kind.max);
  const add = (sink: DocumentSink, value: number | bigint | null): void => {
    const stored = value ?? nullNumber;
    if (stored !== null && layout !== null) sink.addNumber(layout, stored);
  };
  return fieldType(config, {
    layout,
    valueKind: 'long',
    parse(value, sink) {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) {
        if (layout !== null) sink.addNumber(layout, value);
      } else if (value === null) {
        add(sink, null);
      } else {
        const read = readOrIgnore(
          mayIgnore(ignores, value),
          name,
          sink,
          () => readWhole(kind, value, coerces) ?? nullNumber,
        );
        if (read !== null) add(sink, read);
      }
    },
    termQuery(value) {
      checkSearchable(name, layout);
      return wholeTerm(kind, value);
    },
    rangeQuery(bounds) {
      checkSearchable(name, layout);
      return wholeBounds(queried, bounds);
    },
    format: (format) => wholeFormat(format),
    // An empty text is taken for null, which may stand for a number.
    fetchValue: (value) => (value === '' && nullNumber !== null ? nullNumber : fetchWhole(kind, value)),
  });
}

/** The type by whose bounds ranges of a type are made: in 8.12 those of bytes and shorts are ranges of integers. */
const rangesOf = (kind: WholeKind): WholeKind =>
  kind.name === 'byte' || kind.name === 'short' ? WHOLE_KINDS.integer : kind;

function fetchWhole(kind: WholeKind, value: unknown): unknown {
  try {
    return readWhole(kind, value, true) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Parameters of all numeric types. */
export function numberParameters(readNull: (value: unknown) => unknown): readonly Parameter[] {
  return [
    index,
    docValues,
    store,
    ignoreMalformed,
    coerce,
    nullValueParameter(readNull),
    script,
    onScriptError,
    meta,
    timeSeriesDimension,
    timeSeriesMetric,
  ];
}

function readNullValue(kind: WholeKind, value: unknown): unknown {
  if (typeof value !== 'string') return readWhole(kind, value, true);
  const parts = splitDecimal(value);
  if (!parts) throw notNumeric(value);
  return readWhole(kind, value, true);
}

function definition(kind: WholeKind): FieldTypeDefinition {
  return {
    name: kind.name,
    capabilities: withCapabilities({ wholeBounds: [String(rangesOf(kind).min), String(rangesOf(kind).max)] }),
    parameters: numberParameters((value) => readNullValue(kind, value)),
    create: (config) => wholeField(config, kind),
  };
}

/** `long`: -2^63 … 2^63 - 1. */
export const long: FieldTypeDefinition = definition(WHOLE_KINDS.long);
/** `integer`: -2^31 … 2^31 - 1. */
export const integer: FieldTypeDefinition = definition(WHOLE_KINDS.integer);
/** `short`: -32768 … 32767. */
export const short: FieldTypeDefinition = definition(WHOLE_KINDS.short);
/** `byte`: -128 … 127. */
export const byte: FieldTypeDefinition = definition(WHOLE_KINDS.byte);
