import { isPlainObject, JsonText, setOwn } from '@shoal/json';
import { formatDouble, hashOrder } from '@shoal/values';

const INT_MAX = 2 ** 31 - 1;
const INT_MIN = -(2 ** 31);
const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);

/**
 * Returns the Java class that Elasticsearch reads a JSON value into; error messages name it. Whole doubles (`3.0`) are
 * `JsonText` (see `readSource` of `json`).
 */
export function javaClass(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'bigint':
      return value <= LONG_MAX && value >= LONG_MIN ? 'java.lang.Long' : 'java.math.BigInteger';
    case 'number':
      if (!Number.isInteger(value)) return 'java.lang.Double';
      return value <= INT_MAX && value >= INT_MIN ? 'java.lang.Integer' : 'java.lang.Long';
    default:
      if (value instanceof JsonText) return 'java.lang.Double';
      return Array.isArray(value) ? 'java.util.ArrayList' : 'java.util.HashMap';
  }
}

/** Returns Java's `String.valueOf` of a JSON value: `1.0`, `[a, null]`, `{a=1}` with keys in the order of a HashMap. */
export function javaText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatDouble(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (isPlainObject(value)) {
    const members = hashOrder(Object.keys(value)).map((key) => `${key}=${javaText(value[key])}`);
    return `{${members.join(', ')}}`;
  }
  return String(value ?? null);
}

/** Whether a value of a document is a number: a JavaScript number, a long beyond 2^53, or a whole double. */
export function isNumeric(value: unknown): value is number | bigint | JsonText {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonText;
}

/** Returns a number of a document as a JavaScript number. Longs beyond 2^53 lose digits. */
export function toNumber(value: number | bigint | JsonText): number {
  return value instanceof JsonText ? Number(value.text) : Number(value);
}

/** Returns a double as a value of a document: it keeps `.0` when it is whole, as Elasticsearch prints it. */
export function double(value: number): number | JsonText {
  return Number.isInteger(value) ? new JsonText(formatDouble(value)) : value;
}

/** Copies a value of a document. Nothing of the copy is shared, except texts of whole doubles, which never change. */
export function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValue);
  if (!isPlainObject(value) || value instanceof JsonText) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyValue(value[key]));
  return copy;
}

/** Whether a value of a document is a JSON object. A whole double is none, although it is kept as an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && !(value instanceof JsonText);
}

/** Returns a text that values share only if Java's `equals` holds: 1 and 1.0 differ, the order of keys is no matter. */
export function valueIdentity(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(valueIdentity).join()}]`;
  if (!isObject(value)) return isNumeric(value) ? `${javaClass(value)}:${javaText(value)}` : String(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${valueIdentity(value[key])}`).join()}}`;
}
