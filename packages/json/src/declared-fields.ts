import { type ErrorLocation, errors, isApiError, notBoolean } from '@shoal/errors';
import { didYouMean } from '@shoal/values';
import type { Json } from './plain-object.js';
import { tokenOf } from './token-of.js';

/** Where the value of a field is, for errors. */
interface ValuePlace {
  readonly container: object;
  readonly key: string | number;
}

/** A field of a declarative parser: the JSON tokens (Elasticsearch's names) that it takes, and its reader. */
export interface DeclaredField<T> {
  readonly tokens: readonly string[];
  readonly read: (value: unknown, at: ValuePlace) => T;
}

type Fields = Readonly<Record<string, DeclaredField<unknown>>>;

/** The fields that were given, by name. */
type GivenFields<F extends Fields> = { readonly [K in keyof F]?: ReturnType<F[K]['read']> };

/** The text of a scalar in a list of texts. */
function textOf(value: unknown, at: ValuePlace): string {
  if (Array.isArray(value)) throw errors.refusedState('expected value but got [START_ARRAY]');
  if (value !== null && typeof value !== 'object') return String(value);
  throw errors.refusedState(`Can't get text on a ${tokenOf(value)}`, {
    location: { ...at, isAppended: 'bare' },
  });
}

/** A text or a list of scalars. */
export const stringsField: DeclaredField<string[]> = {
  tokens: ['START_ARRAY', 'VALUE_STRING'],
  read: (value, at) =>
    Array.isArray(value) ? value.map((_, key) => parsedAt({ container: value, key }, textOf)) : [textOf(value, at)],
};

/** A text that `read` parses. */
export const textField = <T = string>(
  read: (text: string) => T = (text) => text as unknown as T,
): DeclaredField<T> => ({ tokens: ['VALUE_STRING'], read: (value) => read(value as string) });

const wholeNumberField = (wrong: (message: string) => Error): DeclaredField<number> => ({
  tokens: ['VALUE_NUMBER', 'VALUE_STRING'],
  read: (value) => {
    if (typeof value === 'string' && !/^[-+]?\d+(?:\.\d*)?$/.test(value)) throw wrong(`For input string: "${value}"`);
    return Math.trunc(Number(value));
  },
});

/** A whole number of 64 bits or its text; fractions are cut off. */
export const longField = wholeNumberField(errors.illegalArgument);
/** As `longField`, of 32 bits: the text of another number is a number_format_exception. */
export const integerField = wholeNumberField(errors.numberFormat);

/** A list whose items `read` parses. */
export const listField = <T>(read: (item: unknown) => T): DeclaredField<T[]> => ({
  tokens: ['START_ARRAY'],
  read: (value) =>
    (value as unknown[]).map((item, key) => parsedAt({ container: value as unknown[], key }, () => read(item))),
});

/** A boolean or its text. */
export const booleanField: DeclaredField<boolean> = {
  tokens: ['VALUE_BOOLEAN', 'VALUE_STRING'],
  read: (value) => {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw notBoolean(String(value));
  },
};

/** An object that `read` parses. */
export const objectField = <T>(read: (value: Json) => T): DeclaredField<T> => ({
  tokens: ['START_OBJECT'],
  read: (value) => read(value as Json),
});

/**
 * An object that `read` parses as a whole: the parser has read it to its end by then, which is where errors without a
 * place are.
 */
export const mapField = <T>(read: (value: Json) => T): DeclaredField<T> => ({
  tokens: ['START_OBJECT'],
  read: (value, at) => {
    try {
      return read(value as Json);
    } catch (error) {
      if (isApiError(error)) error.parserAt ??= { ...at, at: 'end' };
      throw error;
    }
  },
});

/** An object in a field whose parser meets values of other kinds itself. */
export const checkedObjectField: DeclaredField<Json> = {
  tokens: ['START_OBJECT', 'START_ARRAY', 'VALUE_NULL', 'VALUE_NUMBER', 'VALUE_STRING', 'VALUE_BOOLEAN'],
  read: (value) => {
    const token = tokenOf(value);
    if (token !== 'START_OBJECT') throw errors.illegalArgument(`Unexpected token: ${token}`);
    return value as Json;
  },
};

/** Runs a reader; an error without a place gets `at`. */
function parsedAt<T>(at: ValuePlace, read: (value: unknown, at: ValuePlace) => T): T {
  try {
    return read((at.container as Record<string | number, unknown>)[at.key], at);
  } catch (error) {
    if (isApiError(error) && error.location === undefined) error.parserAt ??= at;
    throw error;
  }
}

/**
 * Parses an object as Elasticsearch's ObjectParser does: unknown fields are refused with similar known ones, values of
 * a wrong kind by the name of their token; other failures are wrapped with the name of the field. `parser` begins the
 * errors.
 */
export function readFields<F extends Fields>(parser: string, json: Json, fields: F): GivenFields<F> {
  const given: Record<string, unknown> = {};
  for (const key of Object.keys(json)) {
    const at = { container: json, key };
    if (!Object.hasOwn(fields, key))
      throw errors.xContentParse(`[${parser}] unknown field [${key}]${didYouMean(key, Object.keys(fields))}`, {
        location: { ...at, at: 'key' },
      });
    const { tokens, read } = fields[key]!;
    const token = tokenOf(json[key]);
    if (!tokens.includes(token))
      throw errors.xContentParse(`[${parser}] ${key} doesn't support values of type: ${token}`, { location: at });
    given[key] = wrapped(parser, at, () => read(json[key], at));
  }
  return given as GivenFields<F>;
}

/** The place of a value whose parser stopped at `place`: at its start, or at its end if it was read to there. */
function seenAsValue({ container, key, at }: ErrorLocation, field: string | number): ErrorLocation {
  if (at === 'end') return { container, ...(key === undefined ? {} : { key }), at };
  return { container, key: key ?? field };
}

/** Wraps an error of the value of a field; its place is that of the inner error, seen as a value. */
function wrapped<T>(parser: string, at: ValuePlace, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isApiError(error)) throw error;
    const place: ErrorLocation = error.location ?? error.parserAt ?? at;
    throw errors.xContentParse(`[${parser}] failed to parse field [${at.key}]`, {
      cause: error,
      location: seenAsValue(place, at.key),
    });
  }
}
