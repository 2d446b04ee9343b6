import { type ApiError, type ErrorLocation, errors, isApiError, notBoolean } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parsingAt } from '@shoal/query';
import { didYouMean } from '@shoal/values';

/** The place of a value in a request body. */
export interface FieldSite {
  readonly container: object;
  readonly key: string | number;
  /** Name of the aggregation type, for messages. */
  readonly type: string;
  /** Name of the aggregation. */
  readonly name: string;
}

/** Reads one value; throws an error of the API when it cannot be. */
export type FieldReader<T> = (value: unknown, site: FieldSite) => T;

/** Returns the name of the first token of a JSON value in Elasticsearch's messages. */
export function tokenName(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'string') return 'VALUE_STRING';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  return typeof value === 'object' ? 'START_OBJECT' : 'VALUE_NUMBER';
}

const location = (site: FieldSite): ErrorLocation => ({ container: site.container, key: site.key });

/** The error of a value whose token a field does not take. */
export function unsupported(value: unknown, site: FieldSite): ApiError {
  return errors.xContentParse(`[${site.type}] ${site.key} doesn't support values of type: ${tokenName(value)}`, {
    location: location(site),
  });
}

function unknownField(site: FieldSite, known: readonly string[]): ApiError {
  const hint = didYouMean(String(site.key), known);
  const error = errors.xContentParse(`[${site.type}] unknown field [${site.key}]${hint}`, {
    location: { ...location(site), at: 'key' },
  });
  // Elasticsearch has read the value when it finds that it does not know the key.
  error.parserAt = location(site);
  return error;
}

/** The error of a field whose value cannot be read: where the parser stood, or at the end of the value. */
export function fieldFailure(cause: ApiError, site: FieldSite, at?: 'end'): ApiError {
  const { isAppended: _, ...stop } = cause.parserAt ?? cause.location ?? location(site);
  return errors.xContentParse(failureOf(site), { cause, location: at ? { ...location(site), at } : stop });
}

const failureOf = (site: FieldSite): string => `[${site.type}] failed to parse field [${site.key}]`;

function readField<T>(read: FieldReader<T>, value: unknown, site: FieldSite): T {
  try {
    return read(value, site);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    if (thrown.type === 'x_content_parse_exception' && isComplete(thrown, site)) throw thrown;
    throw fieldFailure(thrown, site);
  }
}

/** Whether the reason of an error says already which field cannot be read. */
const isComplete = ({ reason, location: at }: ApiError, site: FieldSite): boolean =>
  reason === failureOf(site) || (at?.container === site.container && at.key === site.key && at.at === undefined);

/** For each field of a body its reader. */
export type FieldReaders = Readonly<Record<string, FieldReader<unknown>>>;
/** Result of `readFields`: the value of each field, undefined if the body lacks it. */
export type ReadFields<S extends FieldReaders> = { readonly [K in keyof S]?: ReturnType<S[K]> };

/**
 * Reads the fields of a body in the order of the body. Throws x_content_parse_exception `[type] unknown field [x]`,
 * `[type] x doesn't support values of type: T`, or `[type] failed to parse field [x]` caused by the error of the
 * reader.
 */
export function readFields<S extends FieldReaders>(
  body: Readonly<Record<string, unknown>>,
  at: { readonly type: string; readonly name: string },
  readers: S,
): ReadFields<S> {
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(body)) {
    const site: FieldSite = { container: body, key, type: at.type, name: at.name };
    if (!Object.hasOwn(readers, key)) throw unknownField(site, Object.keys(readers));
    result[key] = readField(readers[key]!, body[key], site);
  }
  return result as ReadFields<S>;
}

/** Reads a string. */
export const stringField: FieldReader<string> = (value, site) => {
  if (typeof value !== 'string') throw unsupported(value, site);
  return value;
};

/** Reads a string, number or boolean as text. */
export const textField: FieldReader<string> = (value, site) => {
  if (typeof value === 'object') throw unsupported(value, site);
  return String(value);
};

/** Reads a string or a number as text. */
export const labelField: FieldReader<string> = (value, site) => {
  if (typeof value === 'boolean') throw unsupported(value, site);
  return textField(value, site);
};

/** Reads a boolean, also as the string `true` or `false`. */
export const booleanField: FieldReader<boolean> = (value, site) => {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false' || value === '') return false;
  if (typeof value !== 'string') throw unsupported(value, site);
  throw notBoolean(String(value));
};

/** Reads a number, also as a string. */
export const numberField: FieldReader<number> = (value, site) => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw unsupported(value, site);
  return numberOf(value);
};

/** The number that a text spells, as Java reads doubles. Throws number_format_exception. */
export function numberOf(text: string): number {
  if (text.trim() === '') throw errors.numberFormat('empty String');
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  throw errors.numberFormat(SECOND_POINT.test(text) ? 'multiple points' : `For input string: "${text}"`);
}

/** A text of which Java reads digits up to a second point. */
const SECOND_POINT = /^\s*[+-]?\d*\.\d*\./;

const INT_MAX = 2_147_483_647;

/** Reads a Java int; decimals are truncated. */
export const integerField: FieldReader<number> = (value, site) => {
  const number = numberField(value, site);
  if (Math.abs(number) > INT_MAX)
    throw errors.inputCoercion(`Numeric value (${String(value)}) out of range of int (-2147483648 - 2147483647)`);
  return Math.trunc(number);
};

/** Reads an integer of at least `min`; `label` names it in `[label] must be greater than … Found […] in [agg]`. */
export function integerFrom(min: number, label: string): FieldReader<number> {
  return (value, site) => {
    const number = integerField(value, site);
    if (number >= min) return number;
    const bound = min === 1 ? 'greater than 0' : `greater than or equal to ${min}`;
    throw errors.illegalArgument(`[${label}] must be ${bound}. Found [${number}] in [${site.name}]`);
  };
}

const LONG_MAX = 2 ** 63;

/** Reads a Java long without its decimals. A text that is no number is an illegal argument, unlike in other numbers. */
export const longField: FieldReader<number> = (value, site) => {
  const isText = typeof value === 'string' && (value === '' || value.trim() !== value || Number.isNaN(Number(value)));
  if (isText) throw errors.illegalArgument(`For input string: "${value}"`);
  return Math.trunc(numberField(value, site));
};

/** Reads a count, a Java long of at least 0, with the error of `integerFrom`. */
export function countField(label: string): FieldReader<number> {
  return (value, site) => {
    const number = longField(value, site);
    if (Math.abs(number) > LONG_MAX)
      throw errors.inputCoercion(
        `Numeric value (${String(value)}) out of range of long (-9223372036854775808 - 9223372036854775807)`,
      );
    if (number >= 0) return number;
    throw errors.illegalArgument(`[${label}] must be greater than or equal to 0. Found [${number}] in [${site.name}]`);
  };
}

/** Reads a number or a text as it is; null too. */
export const boundField: FieldReader<unknown> = (value, site) => {
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) throw unsupported(value, site);
  return value;
};

/** Reads a number; null is none. */
export const nullableNumberField: FieldReader<number | null> = (value, site) =>
  value === null ? null : numberField(value, site);

/** Reads `missing`: any value but a list, an object or null. */
export const missingField: FieldReader<unknown> = (value, site) => {
  if (value === null) throw errors.illegalArgument(`[missing] must not be null: [${site.name}]`);
  if (typeof value === 'object') throw unsupported(value, site);
  return value;
};

/** Reads any value as it is. */
export const anyField: FieldReader<unknown> = (value) => value;

/** Reads an object. */
export const objectField: FieldReader<Readonly<Record<string, unknown>>> = (value, site) => {
  if (!isPlainObject(value)) throw unsupported(value, site);
  return value as Record<string, unknown>;
};

/** Reads a list; a single value is a list of one. */
export function listOf<T>(read: FieldReader<T>): FieldReader<readonly T[]> {
  return (value, site) => {
    if (!Array.isArray(value)) return [read(value, site)];
    return value.map((item, key) => {
      const at: FieldSite = { ...site, container: value, key };
      if (Array.isArray(item)) throw unexpectedItem(item, at);
      return parsingAt(location(at), () => read(item, at));
    });
  };
}

/** One value of a list that a field takes, with its place; a single value is at the place of the field. */
export interface Item {
  readonly value: unknown;
  readonly site: FieldSite;
}

/** The values of a field that takes a list or one value. A list in the list is refused. */
export function itemsOf(value: unknown, site: FieldSite): readonly Item[] {
  if (!Array.isArray(value)) return [{ value, site }];
  return value.map((item: unknown, key) => {
    const at: FieldSite = { ...site, container: value, key };
    if (Array.isArray(item)) throw unexpectedItem(item, at);
    return { value: item, site: at };
  });
}

/** Returns a reader that refuses a list of more than `max` elements before it reads them. */
export const atMost =
  <T>(max: number, read: FieldReader<T>): FieldReader<T> =>
  (value, site) => {
    if (!Array.isArray(value) || value.length <= max) return read(value, site);
    throw errors.illegalArgument(`[${site.key}] of [${site.name}] has [${value.length}] elements, more than [${max}]`);
  };

function unexpectedItem(value: unknown, site: FieldSite): ApiError {
  const error = errors.refusedState(`expected value but got [${tokenName(value)}]`);
  error.parserAt = location(site);
  return error;
}

/**
 * Reads the fields of each object of a list, or of one object. Errors name `type`. As in Elasticsearch, whose parser
 * looks at the token after a value that is no object, such a value is left out before an object.
 */
export function objectsOf<S extends FieldReaders>(readers: S, type: string): FieldReader<readonly ReadFields<S>[]> {
  return (value, site) => {
    if (!Array.isArray(value)) return [readFields(objectField(value, site), { ...site, type }, readers)];
    return value.flatMap((item: unknown, key) => {
      if (Array.isArray(item)) throw unexpectedItem(item, { ...site, container: value, key });
      if (isPlainObject(item)) return [readFields(item as Record<string, unknown>, { ...site, type }, readers)];
      if (isPlainObject(value[key + 1])) return [];
      throw notAnObject(value, key, type);
    });
  };
}

/** Elasticsearch tells of the token after an item that is no object. */
function notAnObject(list: readonly unknown[], key: number, type: string): ApiError {
  return errors.xContentParse(`[${type}] Expected START_OBJECT but was: ${tokenAfter(list, key)}`, {
    location: { container: list, key, at: 'next' },
  });
}

/** The name of the token that follows an item of a list. */
export const tokenAfter = (list: readonly unknown[], key: number): string =>
  key + 1 < list.length ? tokenName(list[key + 1]) : 'END_ARRAY';

/** Reads one of `names`, without regard to case. */
export function nameOf<T extends string>(names: readonly T[], failure: (text: string) => ApiError): FieldReader<T> {
  return (value, site) => {
    const text = stringField(value, site).toLowerCase();
    const found = names.find((name) => name === text);
    if (found === undefined) throw failure(String(value));
    return found;
  };
}

/** Reads the fields of an object by the same rules. Errors name `type`, by default the type of the aggregation. */
export function objectOf<S extends FieldReaders>(readers: S, type?: string): FieldReader<ReadFields<S>> {
  return (value, site) => readFields(objectField(value, site), { ...site, type: type ?? site.type }, readers);
}
