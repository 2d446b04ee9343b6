import { formatDouble, formatFloat } from '@shoal/values';
import { boxDouble, boxLong, convertNumber, kindOf, numberIn } from '../../runtime/boxes.js';
import { textOfCode } from '../../runtime/code-point.js';
import { scriptEnvironment } from '../../runtime/environment.js';
import { hashOf } from '../../runtime/equality.js';
import { type Long, wrapLong } from '../../runtime/longs.js';
import { Thrown } from '../../runtime/thrown.js';

import type { AllowTable, ClassRow, Implementation } from './class-row.js';

const numberFormat = (text: string | null): Thrown =>
  new Thrown(
    'java.lang.NumberFormatException',
    text === null
      ? 'Cannot parse null string: null'
      : text === ''
        ? 'For input string: ""'
        : `For input string: "${text}"`,
  );

/** Parses a whole number of a base within the bounds of its type. */
function parseWhole(text: string | null, radix: number, bits: number): Long {
  if (text === null || !/^[+-]?[0-9a-zA-Z]+$/.test(text)) throw numberFormat(text);
  const digits = text.replace(/^[+-]/, '').toLowerCase();
  let value = 0n;
  for (const digit of digits) {
    const worth = parseInt(digit, 36);
    if (Number.isNaN(worth) || worth >= radix) throw numberFormat(text);
    value = value * BigInt(radix) + BigInt(worth);
    if (value > 1n << 64n) throw numberFormat(text);
  }
  if (text.startsWith('-')) value = -value;
  if (BigInt.asIntN(bits, value) !== value) throw numberFormat(text);
  return wrapLong(value);
}

/** Parses a decimal number as Java's `Double.parseDouble` does. */
function parseDecimal(text: string): number {
  const trimmed = text.trim();
  if (/^[+-]?(?:NaN|Infinity)$/.test(trimmed)) return Number(trimmed.replace('NaN', 'x'));
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''));
  throw new Thrown('java.lang.NumberFormatException', trimmed === '' ? 'empty String' : `For input string: "${text}"`);
}

const mathStatics: Readonly<Record<string, Implementation>> = {
  'double abs(double)': Math.abs,
  'double acos(double)': Math.acos,
  'double asin(double)': Math.asin,
  'double atan(double)': Math.atan,
  'double atan2(double,double)': Math.atan2,
  'double cbrt(double)': Math.cbrt,
  'double ceil(double)': Math.ceil,
  'double copySign(double,double)': (size: number, sign: number) =>
    Math.abs(size) * (sign < 0 || Object.is(sign, -0) ? -1 : 1),
  'double cos(double)': Math.cos,
  'double cosh(double)': Math.cosh,
  'double exp(double)': Math.exp,
  'double expm1(double)': Math.expm1,
  'double floor(double)': Math.floor,
  'double hypot(double,double)': Math.hypot,
  'double IEEEremainder(double,double)': (a: number, b: number) => a - b * roundEven(a / b),
  'double log(double)': Math.log,
  'double log10(double)': Math.log10,
  'double log1p(double)': Math.log1p,
  'double max(double,double)': Math.max,
  'double min(double,double)': Math.min,
  'double nextAfter(double,double)': (value: number, towards: number) =>
    value === towards ? towards : towards > value ? nextUp(value) : value > towards ? -nextUp(-value) : NaN,
  'double nextUp(double)': nextUp,
  'double nextDown(double)': (value: number) => -nextUp(-value),
  'double pow(double,double)': (a: number, b: number) => (Math.abs(a) === 1 && !Number.isFinite(b) ? NaN : a ** b),
  'double random()': () => scriptEnvironment().random(),
  'double rint(double)': roundEven,
  'long round(double)': (value: number) => roundHalfUp(value),
  'double scalb(double,int)': (value: number, power: number) => value * 2 ** power,
  'double signum(double)': Math.sign,
  'double sin(double)': Math.sin,
  'double sinh(double)': Math.sinh,
  'double sqrt(double)': Math.sqrt,
  'double tan(double)': Math.tan,
  'double tanh(double)': Math.tanh,
  'double toDegrees(double)': (radians: number) => radians * (180 / Math.PI),
  'double toRadians(double)': (degrees: number) => degrees * (Math.PI / 180),
  'double ulp(double)': (value: number) =>
    Number.isFinite(value) ? nextUp(Math.abs(value)) - Math.abs(value) : Math.abs(value),
};

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const part = value - floor;
  if (part !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function roundHalfUp(value: number): Long {
  if (Number.isNaN(value)) return 0;
  const rounded = Math.floor(value + 0.5);
  if (Math.abs(rounded) < 2 ** 53) return rounded + 0;
  if (rounded >= 2 ** 63) return 2n ** 63n - 1n;
  return rounded <= -(2 ** 63) ? -(2n ** 63n) : BigInt(rounded);
}

const BITS = new DataView(new ArrayBuffer(8));

function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  BITS.setFloat64(0, value);
  BITS.setBigInt64(0, BITS.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return BITS.getFloat64(0);
}

/** A box's number as a primitive type; boxes of statically known classes come as boxed values. */
const as =
  (type: string): Implementation =>
  (value: unknown) =>
    convertNumber(kindOf(value), numberIn(value), type);

const numberRow: ClassRow = {
  name: 'java.lang.Number',
  methods: {
    'byte byteValue()': as('byte'),
    'short shortValue()': as('short'),
    'int intValue()': as('int'),
    'long longValue()': as('long'),
    'float floatValue()': as('float'),
    'double doubleValue()': as('double'),
  },
};

const order = (a: Long, b: Long): number => (a < b ? -1 : a > b ? 1 : 0);

/** Java's `Double.compare`: NaN above all, -0.0 below 0.0. */
function orderDouble(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  const isSame = Object.is(a, b);
  if (isSame) return 0;
  if (Number.isNaN(a)) return 1;
  return Number.isNaN(b) || Object.is(a, -0) ? -1 : 1;
}

function wholeRow(name: string, type: string, bits: number): ClassRow {
  const max = 2n ** BigInt(bits - 1) - 1n;
  const parse = { byte: 'Byte', short: 'Short', int: 'Int', long: 'Long' }[type]!;
  const unsigned = (value: Long): bigint => BigInt.asUintN(bits, BigInt(value));
  const isWide = bits >= 32;
  return {
    name,
    parents: ['java.lang.Number', 'java.lang.Comparable'],
    constants: { [`${type} MAX_VALUE`]: wrapLong(max), [`${type} MIN_VALUE`]: wrapLong(-max - 1n) },
    statics: {
      [`int compare(${type},${type})`]: order,
      [`${name} decode(String)`]: (text: string) => boxAs(type, decode(text, bits)),
      [`int hashCode(${type})`]: (value: Long) => (type === 'long' ? hashOf(boxLong(value)) : value),
      [`${type} parse${parse}(String)`]: (text: string) => parseWhole(text, 10, bits),
      [`${type} parse${parse}(String,int)`]: (text: string, radix: number) => parseWhole(text, radix, bits),
      [`String toString(${type})`]: String,
      [`${name} valueOf(${isWide ? 'def' : type})`]: (value: unknown) =>
        boxAs(
          type,
          typeof value === 'string' ? parseWhole(value, 10, bits) : convertNumber(kindOf(value), numberIn(value), type),
        ),
      [`${name} valueOf(String,int)`]: (text: string, radix: number) => boxAs(type, parseWhole(text, radix, bits)),
      ...(isWide ? wideStatics(type, unsigned) : {}),
    },
    methods: { [`int compareTo(${name})`]: (a: unknown, b: unknown) => order(numberIn(a), numberIn(b)) },
  };
}

function boxAs(type: string, value: Long): unknown {
  return type === 'long' ? boxLong(value) : value;
}

function decode(text: string, bits: number): Long {
  const match = /^([+-]?)(?:0[xX]|#)([0-9a-fA-F]+)$/.exec(text);
  if (match) return parseWhole(match[1]! + match[2]!, 16, bits);
  return /^[+-]?0\d/.test(text) ? parseWhole(text, 8, bits) : parseWhole(text, 10, bits);
}

const signedOf = (value: bigint, width: number): Long => wrapLong(BigInt.asIntN(width, value));
const pairs = (digits: string): string[] => digits.match(/../g) ?? [];

function rotated(value: bigint, by: number, width: number): Long {
  const shift = BigInt(((by % width) + width) % width);
  return signedOf((value << shift) | (value >> (BigInt(width) - shift)), width);
}

function notZero(value: bigint): bigint {
  if (value === 0n) throw new Thrown('java.lang.ArithmeticException', '/ by zero');
  return value;
}

function wideStatics(type: string, unsigned: (value: Long) => bigint): Readonly<Record<string, Implementation>> {
  const ones = (value: Long): number => unsigned(value).toString(2).replaceAll('0', '').length;
  const width = type === 'long' ? 64 : 32;
  return {
    [`${type} max(${type},${type})`]: (a: Long, b: Long) => (a > b ? a : b),
    [`${type} min(${type},${type})`]: (a: Long, b: Long) => (a < b ? a : b),
    [`${type} sum(${type},${type})`]: (a: Long, b: Long) =>
      type === 'long' ? wrapLong(BigInt(a) + BigInt(b)) : (Number(a) + Number(b)) | 0,
    [`int signum(${type})`]: (a: Long) => order(a, 0),
    [`int bitCount(${type})`]: ones,
    [`String toBinaryString(${type})`]: (a: Long) => unsigned(a).toString(2),
    [`String toHexString(${type})`]: (a: Long) => unsigned(a).toString(16),
    [`String toOctalString(${type})`]: (a: Long) => unsigned(a).toString(8),
    [`String toString(${type},int)`]: (a: Long, radix: number) => a.toString(radix >= 2 && radix <= 36 ? radix : 10),
    [`int numberOfLeadingZeros(${type})`]: (a: Long) => {
      const text = unsigned(a).toString(2);
      return text === '0' ? width : width - text.length;
    },
    [`int numberOfTrailingZeros(${type})`]: (a: Long) => {
      const text = unsigned(a).toString(2);
      return text === '0' ? width : text.length - 1 - text.lastIndexOf('1');
    },
    [`int compareUnsigned(${type},${type})`]: (a: Long, b: Long) =>
      Number(unsigned(a) > unsigned(b)) - Number(unsigned(a) < unsigned(b)),
    [`String toUnsignedString(${type})`]: (a: Long) => unsigned(a).toString(),
    [`${type} reverse(${type})`]: (a: Long) =>
      signedOf(BigInt(`0b${[...unsigned(a).toString(2).padStart(width, '0')].reverse().join('')}`), width),
    [`${type} reverseBytes(${type})`]: (a: Long) =>
      signedOf(
        BigInt(
          `0x${pairs(
            unsigned(a)
              .toString(16)
              .padStart(width / 4, '0'),
          )
            .reverse()
            .join('')}`,
        ),
        width,
      ),
    [`${type} highestOneBit(${type})`]: (a: Long) =>
      signedOf(unsigned(a) === 0n ? 0n : 1n << BigInt(unsigned(a).toString(2).length - 1), width),
    [`${type} lowestOneBit(${type})`]: (a: Long) => signedOf(unsigned(a) & -unsigned(a), width),
    [`${type} rotateLeft(${type},int)`]: (a: Long, by: number) => rotated(unsigned(a), by, width),
    [`${type} rotateRight(${type},int)`]: (a: Long, by: number) => rotated(unsigned(a), -by, width),
    [`${type} divideUnsigned(${type},${type})`]: (a: Long, b: Long) =>
      signedOf(unsigned(a) / notZero(unsigned(b)), width),
    [`${type} remainderUnsigned(${type},${type})`]: (a: Long, b: Long) =>
      signedOf(unsigned(a) % notZero(unsigned(b)), width),
  };
}

function decimalRow(name: string, type: 'double' | 'float'): ClassRow {
  const round = type === 'float' ? Math.fround : (value: number): number => value;
  const boxed = (value: number): unknown => (type === 'double' ? boxDouble(value) : value);
  return {
    name,
    parents: ['java.lang.Number', 'java.lang.Comparable'],
    constants: {
      [`${type} MAX_VALUE`]: type === 'double' ? Number.MAX_VALUE : 3.4028234663852886e38,
      [`${type} MIN_VALUE`]: type === 'double' ? Number.MIN_VALUE : 1.401298464324817e-45,
      [`${type} NaN`]: NaN,
      [`${type} POSITIVE_INFINITY`]: Infinity,
      [`${type} NEGATIVE_INFINITY`]: -Infinity,
    },
    statics: {
      ...(type === 'double'
        ? {
            'long doubleToLongBits(double)': (value: number) => {
              BITS.setFloat64(0, value);
              return wrapLong(BITS.getBigInt64(0));
            },
            'double longBitsToDouble(long)': (value: Long) => {
              BITS.setBigInt64(0, BigInt(value));
              return BITS.getFloat64(0);
            },
          }
        : {
            'int floatToIntBits(float)': (value: number) => {
              BITS.setFloat32(0, value);
              return BITS.getInt32(0);
            },
            'float intBitsToFloat(int)': (value: number) => {
              BITS.setInt32(0, value);
              return BITS.getFloat32(0);
            },
          }),
      [`int compare(${type},${type})`]: orderDouble,
      [`boolean isNaN(${type})`]: Number.isNaN,
      [`boolean isInfinite(${type})`]: (value: number) => Math.abs(value) === Infinity,
      [`boolean isFinite(${type})`]: Number.isFinite,
      [`${type} parse${type === 'double' ? 'Double' : 'Float'}(String)`]: (text: string) => round(parseDecimal(text)),
      [`${type} max(${type},${type})`]: Math.max,
      [`${type} min(${type},${type})`]: Math.min,
      [`${type} sum(${type},${type})`]: (a: number, b: number) => round(a + b),
      [`String toString(${type})`]: type === 'double' ? formatDouble : formatFloat,
      [`int hashCode(${type})`]: (value: number) => hashOf(boxed(value)),
      [`${name} valueOf(def)`]: (value: unknown) =>
        boxed(round(typeof value === 'string' ? parseDecimal(value) : Number(numberIn(value)))),
    },
    methods: {
      'boolean isNaN()': (value: unknown) => Number.isNaN(numberIn(value)),
      'boolean isInfinite()': (value: unknown) => Math.abs(Number(numberIn(value))) === Infinity,
      [`int compareTo(${name})`]: (a: unknown, b: unknown) => orderDouble(Number(numberIn(a)), Number(numberIn(b))),
    },
  };
}

const booleanRow: ClassRow = {
  name: 'java.lang.Boolean',
  parents: ['java.lang.Comparable'],
  constants: { 'def TRUE': true, 'def FALSE': false },
  statics: {
    'int compare(boolean,boolean)': (a: boolean, b: boolean) => Number(a) - Number(b),
    'boolean logicalAnd(boolean,boolean)': (a: boolean, b: boolean) => a && b,
    'boolean logicalOr(boolean,boolean)': (a: boolean, b: boolean) => a || b,
    'boolean logicalXor(boolean,boolean)': (a: boolean, b: boolean) => a !== b,
    'boolean parseBoolean(String)': (text: string | null) => text?.toLowerCase() === 'true',
    'String toString(boolean)': String,
    'def valueOf(def)': (value: unknown) =>
      typeof value === 'string' ? value.toLowerCase() === 'true' : value === true,
  },
  methods: { 'boolean booleanValue()': (value: boolean) => value },
};

const test =
  (pattern: RegExp): Implementation =>
  (unit: number) =>
    pattern.test(textOfCode(unit));

const characterRow: ClassRow = {
  name: 'java.lang.Character',
  parents: ['java.lang.Comparable'],
  statics: {
    'int compare(char,char)': (a: number, b: number) => a - b,
    'int digit(int,int)': (unit: number, radix: number) => {
      const digit = parseInt(textOfCode(unit), 36);
      return Number.isNaN(digit) || digit >= radix ? -1 : digit;
    },
    'char forDigit(int,int)': (digit: number, radix: number) => digit.toString(radix).charCodeAt(0),
    'int getNumericValue(int)': (unit: number) => {
      const digit = parseInt(textOfCode(unit), 36);
      return Number.isNaN(digit) ? -1 : digit;
    },
    'boolean isAlphabetic(int)': test(/\p{Alphabetic}/u),
    'boolean isDigit(int)': test(/\p{Nd}/u),
    'boolean isLetter(int)': test(/\p{L}/u),
    'boolean isLetterOrDigit(int)': test(/[\p{L}\p{Nd}]/u),
    'boolean isLowerCase(int)': test(/\p{Lowercase}/u),
    'boolean isUpperCase(int)': test(/\p{Uppercase}/u),
    'boolean isWhitespace(int)': test(/[\t-\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/),
    'boolean isSpaceChar(int)': test(/[\p{Zs}\p{Zl}\p{Zp}]/u),
    'int toLowerCase(int)': (unit: number) => textOfCode(unit).toLowerCase().codePointAt(0) ?? unit,
    'int toUpperCase(int)': (unit: number) => textOfCode(unit).toUpperCase().codePointAt(0) ?? unit,
    'String toString(char)': (unit: number) => String.fromCharCode(unit),
  },
  methods: { 'char charValue()': (value: unknown) => Number(numberIn(value)) },
};

/** Numbers, booleans and characters of java.lang. Math has one signature a name: of doubles. */
export const MATH_NUMBERS: AllowTable = [
  numberRow,
  wholeRow('java.lang.Byte', 'byte', 8),
  wholeRow('java.lang.Short', 'short', 16),
  wholeRow('java.lang.Integer', 'int', 32),
  wholeRow('java.lang.Long', 'long', 64),
  decimalRow('java.lang.Float', 'float'),
  decimalRow('java.lang.Double', 'double'),
  booleanRow,
  characterRow,
  { name: 'java.lang.Math', constants: { 'double E': Math.E, 'double PI': Math.PI }, statics: mathStatics },
  { name: 'java.lang.StrictMath', constants: { 'double E': Math.E, 'double PI': Math.PI }, statics: mathStatics },
];
