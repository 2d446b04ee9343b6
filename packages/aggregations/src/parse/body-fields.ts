import { type ApiError, type ErrorLocation, errors, isApiError } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
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

function unsupported(value: unknown, site: FieldSite): ApiError {
  return errors.xContentParse(`[${site.type}] ${site.key} doesn't support values of type: ${tokenName(value)}`, {
    location: location(site),
  });
}

function unknownField(site: FieldSite, known: readonly string[]): ApiError {
  const hint = didYouMean(String(site.key), known);
  return errors.xContentParse(`[${site.type}] unknown field [${site.key}]${hint}`, {
    location: { ...location(site), at: 'key' },
  });
}

/** The error of a field whose value cannot be read, at the value or at its end. */
export function fieldFailure(cause: ApiError, site: FieldSite, at?: 'end'): ApiError {
  return errors.xContentParse(failureOf(site), { cause, location: at ? { ...location(site), at } : location(site) });
}

const failureOf = (site: FieldSite): string => `[${site.type}] failed to parse field [${site.key}]`;

function readField<T>(read: FieldReader<T>, value: unknown, site: FieldSite): T {
  try {
    return read(value, site);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
    if (thrown.type === 'x_content_parse_exception' && isComplete(thrown.reason ?? '', site)) throw thrown;
    throw fieldFailure(thrown, site);
  }
}

/** Whether the reason of an error says already which field cannot be read. */
const isComplete = (reason: string, site: FieldSite): boolean =>
  reason.includes("doesn't support values of type") || reason === failureOf(site);

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

/** Reads a boolean, also as the string `true` or `false`. */
export const booleanField: FieldReader<boolean> = (value, site) => {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  if (typeof value === 'object') throw unsupported(value, site);
  throw errors.illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
};

/** Reads a number, also as a string. */
export const numberField: FieldReader<number> = (value, site) => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw unsupported(value, site);
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) throw errors.numberFormat(`For input string: "${value}"`);
  return number;
};

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
    return value.map((item, i) => read(item, { ...site, container: value, key: i }));
  };
}

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
