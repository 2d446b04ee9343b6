import { errors } from '@shoal/errors';
import { isPlainObject, JsonText, stringify } from '@shoal/json';
import { formatDouble, hashOrder } from '@shoal/values';
import { atLine } from './template-error.js';
import type { TemplateName } from './template-part.js';

/** The result of looking a name up; null if nothing has the name. */
type Found = { readonly value: unknown } | null;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isPlainObject(value) && !(value instanceof JsonText);

const INDEX = /^[+-]?\d{1,9}$/;

/**
 * Looks a key up: an own member of an object, `size` or an index of a list. Nothing that a prototype has is found.
 * Throws RangeError for an index that is not in the list.
 */
function member(value: unknown, key: string): Found {
  if (isObject(value)) return Object.hasOwn(value, key) ? { value: value[key] } : null;
  if (!Array.isArray(value)) return null;
  if (key === 'size') return { value: value.length };
  if (!INDEX.test(key)) return null;
  const index = Number(key);
  if (index < 0 || index >= value.length) throw new RangeError(String(index));
  return { value: (value as unknown[])[index] };
}

/**
 * Finds a dotted name in one scope: as a member of that name, else step by step, where only the first step must exist.
 */
function inScope(scope: unknown, { text, steps }: TemplateName): Found {
  const whole = member(scope, text);
  if (whole !== null || steps.length === 1) return whole;
  const first = member(scope, steps[0]!);
  if (first === null) return null;
  let { value } = first;
  for (let i = 1; i < steps.length; i++) {
    const found = member(value, steps[i]!);
    if (found === null) return { value: undefined };
    value = found.value;
  }
  return { value };
}

/**
 * Returns the value of a variable: of the innermost scope that has its first name. `.` is the innermost scope itself.
 * Undefined if there is none. Throws mustache_exception for an index beyond the end of a list.
 */
export function valueIn(scopes: readonly unknown[], name: TemplateName): unknown {
  if (name.text === '.') return scopes.at(-1);
  try {
    for (let i = scopes.length - 1; i >= 0; i--) {
      const found = inScope(scopes[i], name);
      if (found !== null) return found.value;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const place = atLine(name.line);
    throw errors.mustache(`Failed to get value for ${name.text} ${place}`, {
      cause: errors.mustache(`${error.message} ${place}`, { cause: errors.indexOutOfBounds(error.message) }),
    });
  }
}

/**
 * Returns the text of a value as Java prints it: `1.0E10`, `[a, null]`, `{a=1}` with keys in the order of a HashMap.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return Number.isInteger(value) && !Object.is(value, -0) ? String(value) : formatDouble(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (isObject(value))
    return `{${hashOrder(Object.keys(value))
      .map((key) => `${key}=${textOf(value[key])}`)
      .join(', ')}}`;
  return String(value ?? null);
}

/** Returns the text that a variable renders: empty for null. A list shows its items by their indices: `{0=a, 1=b}`. */
export function renderedText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return textOf(value);
  return `{${value.map((item, i) => `${i}=${textOf(item)}`).join(', ')}}`;
}

/** Renders `toJson`: JSON of objects, with their keys in the order of a HashMap, and of lists; else the plain text. */
export function toJsonText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) || isObject(value) ? jsonOf(value) : textOf(value);
}

/** Returns the JSON of a value, with the keys of objects in the order of a HashMap; `null` for undefined. */
export function jsonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (!isObject(value)) return typeof value === 'number' ? textOf(value) : stringify(value);
  const members = hashOrder(Object.keys(value)).map((key) => `${JSON.stringify(key)}:${jsonOf(value[key])}`);
  return `{${members.join(',')}}`;
}

/**
 * Renders `join`: the items of a list, each escaped by `escape`. Anything but a list renders `name`. Throws
 * mustache_exception for a null in the list.
 */
export function joinText(
  value: unknown,
  name: TemplateName,
  delimiter: string,
  escape: (text: string) => string,
): string {
  if (!Array.isArray(value)) return name.text;
  if (value.some((item) => item === null || item === undefined))
    throw errors.mustache(`Function failure ${atLine(name.line)}`, {
      cause: errors.nullPointer('Cannot invoke "Object.toString()" because "object" is null'),
    });
  return value.map((item) => escape(textOf(item))).join(delimiter);
}

/** Whether a section is left out: null, false, an empty text, an empty list. */
export function isFalsy(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || isEmptyList(value);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
