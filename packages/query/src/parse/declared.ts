import { type JsonObject, tokenOf } from '@shoal/json';
import { type Reader, unknownField, unsupportedValue } from './options.js';
import { parseField } from './parse-field.js';

/** Kinds of JSON values (Elasticsearch's names of tokens) that a declared field takes, and its parser. */
export interface DeclaredField<T> {
  readonly tokens: readonly string[];
  readonly read: Reader<T>;
}

type Fields = Readonly<Record<string, DeclaredField<unknown>>>;

/** The fields that were given, by name. */
export type DeclaredFields<F extends Fields> = { readonly [K in keyof F]?: ReturnType<F[K]['read']> };

const field =
  (tokens: readonly string[]) =>
  <T>(read: Reader<T>): DeclaredField<T> => ({ tokens, read });

/** A value of any of the given kinds. */
export const fieldOf = <T>(tokens: readonly string[], read: Reader<T>): DeclaredField<T> => ({ tokens, read });

/** A text. */
export const stringField = field(['VALUE_STRING']);
/** A text, number, boolean or null. */
export const valueField = field(['VALUE_STRING', 'VALUE_NUMBER', 'VALUE_BOOLEAN', 'VALUE_NULL']);
/** A number, or its text. */
export const numberField = field(['VALUE_NUMBER', 'VALUE_STRING']);
/** True or false, or its text. */
export const booleanField = field(['VALUE_BOOLEAN', 'VALUE_STRING']);
/** An object. */
export const objectField = field(['START_OBJECT']);
/** An object, or an array whose items the parser checks. */
export const objectsField = field(['START_OBJECT', 'START_ARRAY']);

/**
 * Parses an object as Elasticsearch's declarative parsers (ObjectParser) do: unknown fields are refused with similar
 * known ones, values of a wrong kind by the name of their token, and failures are wrapped with the field's name.
 */
export function readDeclared<F extends Fields>(type: string, body: JsonObject, fields: F): DeclaredFields<F> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(body)) {
    if (!Object.hasOwn(fields, key)) throw unknownField(type, key, body, Object.keys(fields));
    const { tokens, read } = fields[key]!;
    const value = body[key];
    if (!tokens.includes(tokenOf(value))) throw unsupportedValue(type, key, body);
    found[key] = parseField(type, body, key, () => read(value, { type, container: body, key }));
  }
  return found as DeclaredFields<F>;
}
