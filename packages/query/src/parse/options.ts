import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors, isApiError, notBoolean } from '@shoal/errors';
import { didYouMean } from '@shoal/values';
import { parseField, parsingAt } from './parse-field.js';

/** Place of an option in the body, and the query that it belongs to. */
export interface OptionPlace {
  readonly type: string;
  readonly container: object;
  readonly key: string | number;
}

/** Parses the value of one option; throws Elasticsearch's errors for invalid values. */
export type Reader<T> = (value: unknown, place: OptionPlace) => T;

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** Options of every query: `boost` and `_name`. */
export interface CommonOptions {
  readonly boost: number;
  readonly queryName: string | null;
}

/** Options that were given, by name, besides `boost` and `_name`. */
export type Options<R extends Readers> = { readonly [K in keyof R]?: ReturnType<R[K]> } & CommonOptions;

/** Parses any scalar as text, as `parser.text()` does. */
export const text: Reader<string> = (value, place) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw errors.refusedState(`Can't get text on a ${tokenOf(value)}`, {
    location: { container: place.container, key: place.key, isAppended: 'bare' },
  });
};

/**
 * Where the value of an option stands for parsers of 8.12 that pass over brackets: the last scalar of a list, at any
 * depth, or the value itself.
 */
export function lastOfList(container: object, key: string | number): [container: object, key: string | number] {
  const value = (container as JsonObject)[key];
  return Array.isArray(value) && value.length > 0 ? lastOfList(value, value.length - 1) : [container, key];
}

/** Parses a text, or null for JSON null. */
export const textOrNull: Reader<string | null> = (value, place) => (value === null ? null : text(value, place));

/** Parses a 32-bit float: a number, or its text. */
export const float: Reader<number> = (value, place) => {
  if (typeof value === 'number' || typeof value === 'bigint') return Math.fround(Number(value));
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
    return Math.fround(Number(value));
  throw numberFormat(value, place);
};

/** Parses a 64-bit double: a number, or its text. */
export const double: Reader<number> = (value, place) => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw numberFormat(value, place);
};

/** Parses a whole number, or its text. Throws illegal_argument_exception for decimals. */
export const int: Reader<number> = (value, place) => {
  const number = double(value, place);
  if (!Number.isInteger(number)) {
    throw errors.illegalArgument(`${number} cannot be converted to Integer without data loss`);
  }
  return number;
};

/** Parses true or false, or one of them as text. */
export const boolean: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw notBoolean(String(value));
};

/** Returns the value unchanged. */
export const any: Reader<unknown> = (value) => value;

function numberFormat(value: unknown, place: OptionPlace): Error {
  if (typeof value === 'string')
    return errors.numberFormat(value === '' ? 'empty String' : `For input string: "${value}"`);
  return errors.refusedState(`Current token (${tokenOf(value)}) not numeric, can not use numeric value accessors`, {
    location: { container: place.container, key: place.key },
  });
}

/** Returns what 8.12's JSON parser tells of a token that it cannot read as asked; `kind` is its own exception. */
export function tokenError(
  kind: 'jsonParse' | 'inputCoercion',
  reason: string,
  { container, key }: OptionPlace,
): Error {
  const end = { container, key, at: 'after' } as const;
  const cause = errors[kind](reason, { location: { ...end, isAppended: 'source' } });
  const error = errors.xContentParse(reason, { cause, location: { ...end, isAppended: 'both' } });
  error.parserAt = { container, key };
  return error;
}

/** Returns the error of the hand-written parsers: `[match] query does not support [foo]`. */
export function unsupportedOption(type: string, key: string, container: object): Error {
  return errors.parsing(`[${type}] query does not support [${key}]`, { location: { container, key } });
}

/** Returns the error of the declarative parsers: `[bool] unknown field [mus] did you mean [must]?`. */
export function unknownField(type: string, key: string, container: object, known: readonly string[]): Error {
  const error = errors.xContentParse(`[${type}] unknown field [${key}]${didYouMean(key, known)}`, {
    location: { container, key, at: 'key' },
  });
  // Parsers around this one have read on to the value.
  error.parserAt = { container, key };
  return error;
}

/** Returns the boost; throws for a negative one, as every query does. */
export function checkBoost(boost: number, type: string, body: unknown): number {
  if (boost >= 0) return boost;
  const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  const shown = JSON.stringify({ [type]: body }, plain, 2).replace(/^( *"[^"]*"):/gm, '$1 :');
  throw errors.illegalArgument(
    `negative [boost] are not allowed in [${shown}], use a value between 0 and 1 to deboost`,
  );
}

/**
 * Parses the options of a query in the order in which they were written. Every query knows `boost` and `_name`. Any
 * other key that `readers` does not have is refused, in the style of the query's parser in Elasticsearch.
 */
export function readOptions<R extends Readers>(
  type: string,
  body: JsonObject,
  readers: R,
  style: 'plain' | 'declared' = 'plain',
): Options<R> {
  const found: Record<string, unknown> = { boost: 1, queryName: null };
  for (const key of Object.keys(body)) readOption(type, body, key, readers, style, found);
  return found as Options<R>;
}

/** Queries whose parsers in 8.12 pass over an unknown key with null or an empty array. */
const PASSING = ['nested', 'boosting', 'field_value_factor'];
/** Queries whose parsers in 8.12 pass over null in place of any option. */
const PASSING_NULL = ['nested', 'boosting', 'mlt'];
/** Queries whose parsers name the token instead of the key if a key, known or not, has no value. */
const NULL_TEXTS: ReadonlyMap<string, (token: string, key: string) => string> = new Map([
  ...[
    'match',
    'match_phrase',
    'match_phrase_prefix',
    'match_bool_prefix',
    'multi_match',
    'query_string',
    'simple_query_string',
    'exists',
  ].map((type) => [type, (token: string, key: string) => `[${type}] unknown token [${token}] after [${key}]`] as const),
  ['fuzzy', (token, key) => `[fuzzy] unexpected token [${token}] after [${key}]`],
  [
    'constant_score',
    (token, key) =>
      token === 'START_ARRAY' || token === 'VALUE_NULL'
        ? `unexpected token [${token}]`
        : `[constant_score] query does not support [${key}]`,
  ],
]);

/** Options that are queries to hand-written parsers of 8.12, to which a key with a scalar is an unknown one. */
const QUERY_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['nested', ['query', 'inner_hits']],
  ['has_child', ['query', 'inner_hits']],
  ['has_parent', ['query', 'inner_hits']],
  ['boosting', ['positive', 'negative']],
  ['span_first', ['match']],
  ['span_not', ['include', 'exclude']],
  ['span_within', ['big', 'little']],
  ['span_containing', ['big', 'little']],
]);
/** Queries to whose parsers a key without a value is an unknown one. */
const REFUSING_NULL = ['span_near', 'span_first', 'span_not', 'span_or'];

function refuseUnknown(type: string, key: string, body: JsonObject): void {
  const value = body[key];
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  if (isEmpty && PASSING.includes(type)) return;
  const text = value === null || type === 'constant_score' ? NULL_TEXTS.get(type) : undefined;
  if (text === undefined || isPlainObject(value)) throw unsupportedOption(type, key, body);
  throw errors.parsing(text(tokenOf(value), key), { location: { container: body, key } });
}

/** Kinds of values that declared parsers take for the options of every query. */
const COMMON_TOKENS: ReadonlyMap<string, readonly string[]> = new Map([
  ['boost', ['VALUE_NUMBER', 'VALUE_STRING']],
  ['_name', ['VALUE_STRING']],
]);

/** Returns the error of a declared field whose value is of a wrong kind. */
export function unsupportedValue(type: string, key: string, body: JsonObject): Error {
  return errors.xContentParse(`[${type}] ${key} doesn't support values of type: ${tokenOf(body[key])}`, {
    location: { container: body, key },
  });
}

function readOption(
  type: string,
  body: JsonObject,
  key: string,
  readers: Readers,
  style: string,
  into: Record<string, unknown>,
): void {
  const place = { type, container: body, key };
  const value = body[key];
  if (style === 'declared' && COMMON_TOKENS.get(key)?.includes(tokenOf(value)) === false)
    throw unsupportedValue(type, key, body);
  if (value === null && style === 'plain') {
    if (PASSING_NULL.includes(type)) return;
    if (REFUSING_NULL.includes(type)) throw unsupportedOption(type, key, body);
    // The parsers of 8.12 read arrays apart from values, so that `fields: null` is an unknown key to them.
    if (NULL_TEXTS.has(type) && key === 'fields') throw unsupportedOption(type, key, body);
    if (NULL_TEXTS.has(type)) refuseUnknown(type, key, body);
  }
  if (typeof value !== 'object' && QUERY_KEYS.get(type)?.includes(key)) throw unsupportedOption(type, key, body);
  const boost = (): number => checkBoost(float(value, place), type, body);
  if (key === 'boost' && !Object.hasOwn(readers, key))
    into.boost = style === 'declared' ? parseField(type, body, key, boost) : boost();
  else if (key === '_name') into.queryName = text(value, place);
  else if (Object.hasOwn(readers, key))
    into[key] = parsingAt({ container: body, key }, () => readers[key]!(value, place));
  else if (style === 'plain') refuseUnknown(type, key, body);
  else throw unknownField(type, key, body, [...Object.keys(readers), 'boost', '_name']);
}

/**
 * Parses a query whose declared parser 8.12 wraps once more: an x_content_parse_exception becomes the cause of a
 * parsing_exception with the same words, whose place is that of the value.
 */
export function parseWrapped<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isApiError(error) || error.type !== 'x_content_parse_exception' || !error.location) throw error;
    const { at: _, ...value } = error.location;
    throw errors.parsing(error.reason, { cause: error, location: value });
  }
}

/** A query of the form `{field: value}` or `{field: {options}}`. */
export interface FieldClause<R extends Readers> {
  readonly field: string;
  readonly options: Options<R>;
}

/**
 * Parses `{field: {…options}}` or the short form `{field: value}`, where the value is the option `shortKey`. A second
 * field is refused.
 */
export function readFieldClause<R extends Readers>(
  type: string,
  body: JsonObject,
  shortKey: string & keyof R,
  readers: R,
): FieldClause<R> {
  const fields = Object.keys(body);
  const field = fields[0];
  if (field === undefined) throw errors.illegalArgument('field name is null or empty');
  if (fields.length > 1) throw multipleFields(type, field, fields[1]!, body);
  const value = body[field];
  if (isPlainObject(value)) return { field, options: readOptions(type, value, readers) };
  const shortValue = readers[shortKey]!(value, { type, container: body, key: field });
  return { field, options: { boost: 1, queryName: null, [shortKey]: shortValue } as Options<R> };
}

/** Returns the error `[match] query doesn't support multiple fields, found [a] and [b]`. */
export function multipleFields(type: string, first: string, second: string, container: object): Error {
  return errors.parsing(`[${type}] query doesn't support multiple fields, found [${first}] and [${second}]`, {
    location: { container, key: second, at: 'value' },
  });
}
