import { JsonText } from '@shoal/json';
import { formatDouble, formatFloat } from '@shoal/values';
import { currentBudget } from './budget.js';
import { entriesOf, isMap } from './maps.js';
import { Boxed, isDocumentMap, JavaArray, ScriptObject, type Value } from './values.js';

/** Length of texts, in units, from which on joining them is counted. */
const COUNTED_LENGTH = 512;

/** Joins two texts; long ones are charged. */
export function concat(a: string, b: string): string {
  const length = a.length + b.length;
  if (length > COUNTED_LENGTH) currentBudget().charge(length * 2);
  return a + b;
}

/** A value with a text of its own: what `toString` gives. */
export interface Textual {
  toText(): string;
}

function boxedText(boxed: Boxed): string {
  switch (boxed.kind) {
    case 'Double':
      return formatDouble(boxed.value);
    case 'Float':
      return formatFloat(boxed.value);
    case 'Character':
      return String.fromCharCode(boxed.value);
    default:
      return String(boxed.value);
  }
}

function joined(parts: Iterable<Value>, self: unknown, open: string, close: string): string {
  const texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    const text = part === self ? '(this Collection)' : textOf(part);
    length += text.length;
    if (length > 1024) currentBudget().charge(text.length * 2);
    texts.push(text);
  }
  return open + texts.join(', ') + close;
}

function mapText(map: object): string {
  const texts: string[] = [];
  for (const [key, value] of entriesOf(map))
    texts.push(`${textOf(key)}=${value === map ? '(this Map)' : textOf(value)}`);
  return `{${texts.join(', ')}}`;
}

/** Returns the text of a value as Java's `String.valueOf` gives it. */
export function textOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) && !Object.is(value, -0) ? String(value) : formatDouble(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'function':
      return 'lambda';
    default:
      return value === null || value === undefined ? 'null' : objectText(value as object);
  }
}

function objectText(value: object): string {
  if (value instanceof Boxed) return boxedText(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return joined(value, value, '[', ']');
  if (isMap(value) || isDocumentMap(value)) return mapText(value);
  if (value instanceof JavaArray) return `[${value.element}@${value.values.length.toString(16)}`;
  if (value instanceof ScriptObject && 'toText' in value) return (value as unknown as Textual).toText();
  if (value instanceof ScriptObject && Symbol.iterator in value)
    return joined(value as unknown as Iterable<Value>, value, '[', ']');
  return value instanceof ScriptObject ? value.javaClass : '';
}
