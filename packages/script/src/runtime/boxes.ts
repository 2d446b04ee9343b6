import { JsonText } from '@shoal/json';
import { doubleToInt, doubleToLong, type Long, longToInt } from './longs.js';
import { classCast, nullPointer } from './thrown.js';
import { Boxed, BoxedLong, shownClass, type Value } from './values.js';

/** Boxes a long: within int32 its class has to be told. */
export function boxLong(value: Long): Value {
  return typeof value === 'number' && (value | 0) === value ? new BoxedLong(value) : value;
}

/** Boxes a double: a whole one would be taken for an Integer or a Long. */
export function boxDouble(value: number): Value {
  return Number.isInteger(value) ? new Boxed('Double', value) : value;
}

export function box(type: string, value: Value): Value {
  switch (type) {
    case 'long':
      return boxLong(value as Long);
    case 'double':
      return boxDouble(value as number);
    case 'float':
      return new Boxed('Float', value as number);
    case 'short':
      return new Boxed('Short', value as number);
    case 'byte':
      return new Boxed('Byte', value as number);
    case 'char':
      return new Boxed('Character', value as number);
    default:
      return value;
  }
}

/** Kinds of boxed numbers, narrow to wide; 0 is no number. */
export const KIND = { none: 0, byte: 1, short: 2, char: 3, int: 4, long: 5, float: 6, double: 7 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

const BOX_KINDS = { Byte: 1, Short: 2, Character: 3, Long: 5, Float: 6, Double: 7 } as const;
const KIND_NAMES = ['none', 'byte', 'short', 'char', 'int', 'long', 'float', 'double'] as const;

export function kindOf(value: Value): Kind {
  if (typeof value === 'number') {
    if ((value | 0) === value) return Object.is(value, -0) ? KIND.double : KIND.int;
    return Number.isInteger(value) ? KIND.long : KIND.double;
  }
  if (typeof value === 'bigint') return KIND.long;
  if (value instanceof Boxed) return BOX_KINDS[value.kind];
  return value instanceof JsonText ? KIND.double : KIND.none;
}

/** Returns the number in a boxed number. */
export function numberIn(value: Value): Long {
  if (value instanceof Boxed) return value.value;
  return value instanceof JsonText ? Number(value.text) : (value as Long);
}

/** Kinds of values that become a primitive type without a cast written out. */
const WIDENS: Readonly<Record<string, readonly number[]>> = {
  byte: [1],
  short: [1, 2],
  char: [3],
  int: [1, 2, 3, 4],
  long: [1, 2, 3, 4, 5],
  float: [1, 2, 3, 4, 5, 6],
  double: [1, 2, 3, 4, 5, 6, 7],
};

/** Returns a number as one of a primitive type, cut as a cast of Java cuts it. */
export function convertNumber(from: Kind, value: Long, type: string): Long {
  if (from >= KIND.float) return fromDecimal(value as number, type);
  switch (type) {
    case 'long':
      return value;
    case 'double':
      return Number(value);
    case 'float':
      return Math.fround(Number(value));
    default:
      return narrow(longToInt(value), type);
  }
}

function narrow(value: number, type: string): number {
  switch (type) {
    case 'byte':
      return (value << 24) >> 24;
    case 'short':
      return (value << 16) >> 16;
    case 'char':
      return value & 0xffff;
    default:
      return value;
  }
}

function fromDecimal(value: number, type: string): Long {
  switch (type) {
    case 'double':
      return value;
    case 'float':
      return Math.fround(value);
    case 'long':
      return doubleToLong(value);
    default:
      return narrow(doubleToInt(value), type);
  }
}

function refusal(value: Value, type: string, isExplicit: boolean): Error {
  return classCast(`cannot ${isExplicit ? 'explicitly' : 'implicitly'} cast def [${shownClass(value)}] to ${type}`);
}

/**
 * Unboxes a value of `def` to a primitive number. Throws a ClassCastException for another class or a narrower type,
 * which names the type as `shown`.
 */
export function unboxNumber(value: Value, type: string, isExplicit: boolean, shown = type): Long {
  if (type === 'int' && typeof value === 'number' && (value | 0) === value) return value;
  if (type === 'double' && value instanceof Boxed && value.kind === 'Double') return value.value;
  if (value === null || value === undefined) throw nullValue();
  const kind = kindOf(value);
  if (kind === KIND.none && type === 'char' && isExplicit && typeof value === 'string') return charOf(value);
  if (kind === KIND.none || !(isExplicit || WIDENS[type]!.includes(kind))) throw refusal(value, shown, isExplicit);
  return convertNumber(kind, numberIn(value), type);
}

function nullValue(): Error {
  return nullPointer('Cannot invoke "Object.getClass()" because "value" is null');
}

/** Returns the char of a text of one. */
export function charOf(text: string): number {
  if (text === null) throw classCast('cannot cast null java.lang.String to char');
  if (text.length === 1) return text.charCodeAt(0);
  throw classCast('cannot cast java.lang.String with length not equal to one to char');
}

export function unboxBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) throw nullValue();
  throw classCast(`cannot cast def [${shownClass(value)}] to boolean`);
}

/** Returns the primitive type of a kind. */
export function typeOfKind(kind: Kind): string {
  return KIND_NAMES[kind];
}
