import { JsonText } from './json-text.js';

/** Printable ASCII without quotes and backslashes, which needs no escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeText(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'string':
      return writeText(value);
    case 'boolean':
    case 'bigint':
      return `${value}`;
    case 'object':
      return value === null ? 'null' : writeContainer(value);
    default:
      return undefined;
  }
}

function writeContainer(value: object): string {
  if (value instanceof JsonText) return value.text;
  return Array.isArray(value) ? writeArray(value) : writeObject(value as Record<string, unknown>);
}

function writeArray(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += (i > 0 ? ',' : '') + (write(values[i]) ?? 'null');
  return `${text}]`;
}

function writeObject(object: Record<string, unknown>): string {
  let text = '';
  for (const key of Object.keys(object)) {
    const member = write(object[key]);
    if (member !== undefined) text += `${text === '' ? '{' : ','}${writeText(key)}:${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/**
 * Renders a value as JSON text. A bigint becomes an integer with all its digits, a `JsonText` its text; members that
 * are undefined are left out. Tries the faster `JSON.stringify` first, which throws at a bigint or `JsonText`.
 */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
    return write(value) ?? 'null';
  }
}

/**
 * As `stringify`, for values that usually contain a `JsonText`, such as aggregations: skips the attempt that would
 * throw.
 */
export function stringifyMixed(value: unknown): string {
  return write(value) ?? 'null';
}
