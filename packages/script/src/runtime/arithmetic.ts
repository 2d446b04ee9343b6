import {
  addLong,
  andLong,
  divideLong,
  type Long,
  multiplyLong,
  negateLong,
  orLong,
  remainderLong,
  shiftLeftLong,
  shiftRightLong,
  shiftRightUnsignedLong,
  subtractLong,
  xorLong,
} from './longs.js';
import { Thrown } from './thrown.js';

type Operation = (a: never, b: never) => unknown;

const divisionByZero = (): Thrown => new Thrown('java.lang.ArithmeticException', '/ by zero');

const WHOLE_TABLE = {
  '+': (a: number, b: number) => (a + b) | 0,
  '-': (a: number, b: number) => (a - b) | 0,
  '*': (a: number, b: number) => Math.imul(a, b),
  '/': (a: number, b: number) => {
    if (b === 0) throw divisionByZero();
    return (a / b) | 0;
  },
  '%': (a: number, b: number) => {
    if (b === 0) throw divisionByZero();
    return (a % b) | 0;
  },
  '<<': (a: number, b: number) => a << b,
  '>>': (a: number, b: number) => a >> b,
  '>>>': (a: number, b: number) => (a >>> b) | 0,
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
};

const LONG_TABLE = {
  '+': addLong,
  '-': subtractLong,
  '*': multiplyLong,
  '/': (a: Long, b: Long) => {
    if (b === 0) throw divisionByZero();
    return divideLong(a, b);
  },
  '%': (a: Long, b: Long) => {
    if (b === 0) throw divisionByZero();
    return remainderLong(a, b);
  },
  '<<': shiftLeftLong,
  '>>': shiftRightLong,
  '>>>': shiftRightUnsignedLong,
  '&': andLong,
  '|': orLong,
  '^': xorLong,
};

const DOUBLE_TABLE = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
};

const FLOAT_TABLE = {
  '+': (a: number, b: number) => Math.fround(a + b),
  '-': (a: number, b: number) => Math.fround(a - b),
  '*': (a: number, b: number) => Math.fround(a * b),
  '/': (a: number, b: number) => Math.fround(a / b),
  '%': (a: number, b: number) => Math.fround(a % b),
};

const BOOLEAN_TABLE = {
  '&': (a: boolean, b: boolean) => a && b,
  '|': (a: boolean, b: boolean) => a || b,
  '^': (a: boolean, b: boolean) => a !== b,
};

const TABLES: ReadonlyMap<string, Readonly<Record<string, Operation>>> = new Map<string, Record<string, Operation>>([
  ['int', WHOLE_TABLE],
  ['long', LONG_TABLE],
  ['float', FLOAT_TABLE],
  ['double', DOUBLE_TABLE],
  ['boolean', BOOLEAN_TABLE],
]);

/** Returns an operation of Java's arithmetic on operands of a primitive type; shifts take an int amount. */
export function arithmeticOf(op: string, type: string): (a: unknown, b: unknown) => number | bigint | boolean {
  return TABLES.get(type)![op] as (a: unknown, b: unknown) => number | bigint | boolean;
}

/** Returns `-a` or `~a` of a primitive type. */
export function negated(op: '-' | '~' | '+', type: string, a: Long): Long {
  if (op === '+') return a;
  if (type === 'long') return op === '-' ? negateLong(a) : xorLong(a, -1);
  if (type === 'int') return op === '-' ? (0 - (a as number)) | 0 : ~(a as number);
  return -(a as number);
}
