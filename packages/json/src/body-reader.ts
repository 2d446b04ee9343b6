import { errors } from '@shoal/errors';
import { didYouMean } from '@shoal/values';
import { isPlainObject, type JsonObject } from './plain-object.js';
import { tokenOf } from './token-of.js';

/** Reads the members of an object of a request, with Elasticsearch's errors. */
export interface BodyReader {
  /** Throws x_content_parse_exception for a member that is not known. */
  onlyKeys(keys: readonly string[]): void;
  object(key: string): JsonObject;
  optionalObject(key: string): JsonObject | null;
  text(key: string): string;
  optionalText(key: string): string | null;
  optionalNumber(key: string): number | null;
  optionalBoolean(key: string): boolean | null;
  optionalList(key: string): readonly unknown[] | null;
  texts(key: string): readonly string[];
}

/** Makes the reader of an object; `name` is that of Elasticsearch's parser. Throws parsing_exception for no object. */
export function bodyReader(name: string, given: unknown): BodyReader {
  if (!isPlainObject(given)) throw errors.parsing(`[${name}] expected an object but was [${tokenOf(given)}]`);
  const body: JsonObject = given;
  const member = <T>(key: string, isRight: (value: unknown) => value is T): T | null => {
    const value = body[key];
    if (value === undefined || value === null) return null;
    if (isRight(value)) return value;
    throw errors.xContentParse(`[${name}] ${key} doesn't support values of type: ${tokenOf(value)}`, {
      location: { container: body, key },
    });
  };
  const required = <T>(key: string, value: T | null): T => {
    if (value !== null) return value;
    throw errors.illegalArgument(`Required [${key}]`);
  };
  const reader: BodyReader = {
    onlyKeys(keys) {
      const unknown = Object.keys(body).find((key) => !keys.includes(key));
      if (unknown === undefined) return;
      throw errors.xContentParse(`[${name}] unknown field [${unknown}]${didYouMean(unknown, keys)}`, {
        location: { container: body, key: unknown, at: 'key' },
      });
    },
    object: (key) => required(key, reader.optionalObject(key)),
    optionalObject: (key) => member(key, isPlainObject),
    text: (key) => required(key, reader.optionalText(key)),
    optionalText: (key) => member(key, (value): value is string => typeof value === 'string'),
    optionalNumber: (key) => member(key, (value): value is number => typeof value === 'number'),
    optionalBoolean: (key) => member(key, (value): value is boolean => typeof value === 'boolean'),
    optionalList: (key) => member(key, (value): value is unknown[] => Array.isArray(value)),
    texts(key) {
      const value = body[key];
      if (typeof value === 'string') return [value];
      const list = reader.optionalList(key) ?? [];
      if (list.every((one) => typeof one === 'string')) return list as readonly string[];
      const wrong = list.find((one) => typeof one !== 'string');
      throw errors.xContentParse(`[${name}] ${key} doesn't support values of type: ${tokenOf(wrong)}`, {
        location: { container: body, key },
      });
    },
  };
  return reader;
}
