import { JsonText } from './json-text.js';

function write(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  return Array.isArray(value) ? writeArray(value) : writeObject(value as Record<string, unknown>);
}

function writeArray(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += (i > 0 ? ',' : '') + (write(values[i]) ?? 'null');
  return `${text}]`;
}

function writeObject(object: Record<string, unknown>): string {
  let text = '{';
  for (const key of Object.keys(object)) {
    const member = write(object[key]);
    if (member !== undefined) text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${member}`;
  }
  return `${text}}`;
}

/** JSON text of a value; bigints become integers with all their digits, a JsonText its text. Members that are undefined are left out. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
    return write(value) ?? 'null';
  }
}
