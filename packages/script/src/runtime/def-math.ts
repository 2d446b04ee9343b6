import { arithmeticOf, negated } from './arithmetic.js';
import { box, boxDouble, boxLong, convertNumber, KIND, type Kind, kindOf, numberIn, typeOfKind } from './boxes.js';
import { equalValues } from './equality.js';
import { concat, textOf } from './java-text.js';
import { isExact, type Long, longToInt } from './longs.js';
import { classCast, nullPointer, type Thrown } from './thrown.js';
import { Boxed, BoxedLong, classOf, shownClass, type Value } from './values.js';

function refusal(op: string, a: Value, b: Value): Thrown {
  if (a === null || b === null)
    return nullPointer(`Cannot invoke "Object.getClass()" because "${a === null ? 'left' : 'right'}" is null`);
  if (typeof a === 'boolean' && typeof b === 'boolean')
    return classCast(`Cannot apply [${op}] operation to type [boolean]`);
  return classCast(`Cannot apply [${op}] operation to types [${classOf(a)}] and [${classOf(b)}].`);
}

/**
 * Whether one operand is a Double, and the other one too or any number that holds a number of JavaScript: what comes
 * out is a Double. Most operands of scripts over columns are; for them the general way takes ten times as long.
 */
function isOfDoubles(a: Value, b: Value): boolean {
  return isDouble(a) ? isPlain(b) : isDouble(b) && isPlain(a);
}

/** Whether a value is a Double. -0 is not found, which the general way knows. */
function isDouble(value: Value): boolean {
  return typeof value === 'number' ? !Number.isInteger(value) : value instanceof Boxed && value.kind === 'Double';
}

const isPlain = (value: Value): boolean => typeof value === 'number' || value instanceof Boxed;

const isInt = (value: Value): value is number => typeof value === 'number' && (value | 0) === value;

/** Returns a whole number that is an Integer or a Long below 2^53; NaN for any other value. */
function wholeOf(value: Value): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number.NaN;
  return value instanceof BoxedLong ? value.value : Number.NaN;
}

const real = (value: Value): number => (typeof value === 'number' ? value : (value as Boxed).value);

/** `+` of two values of `def`. */
export function defAdd(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return (a + b) | 0;
  const sum = wholeOf(a) + wholeOf(b);
  if (isExact(sum)) return boxLong(sum);
  if (isOfDoubles(a, b)) return boxDouble(real(a) + real(b));
  return typeof a === 'string' || typeof b === 'string' ? concat(textOf(a), textOf(b)) : defMath('+', a, b);
}

export function defSubtract(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return (a - b) | 0;
  const difference = wholeOf(a) - wholeOf(b);
  if (isExact(difference)) return boxLong(difference);
  return isOfDoubles(a, b) ? boxDouble(real(a) - real(b)) : defMath('-', a, b);
}

export function defMultiply(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return Math.imul(a, b);
  return isOfDoubles(a, b) ? boxDouble(real(a) * real(b)) : defMath('*', a, b);
}

export function defDivide(a: Value, b: Value): Value {
  return isOfDoubles(a, b) ? boxDouble(real(a) / real(b)) : defMath('/', a, b);
}

/** Does arithmetic by the classes of boxed values, as Java's binary promotion would. */
export function defMath(op: string, a: Value, b: Value): Value {
  if (op === '+' && (typeof a === 'string' || typeof b === 'string')) return textOf(a) + textOf(b);
  if (typeof a === 'boolean' && typeof b === 'boolean' && (op === '&' || op === '|' || op === '^'))
    return arithmeticOf(op, 'boolean')(a, b);
  const left = kindOf(a);
  const right = kindOf(b);
  if (left === KIND.none || right === KIND.none) throw refusal(op, a, b);
  if (op === '<<' || op === '>>' || op === '>>>') return defShift(op, a, b, left, right);
  const kind = Math.max(left, right, KIND.int) as Kind;
  if (kind > KIND.long && !'+-*/%'.includes(op)) throw classCast(`Cannot apply [${op}] operation to type [float]`);
  const type = typeOfKind(kind);
  const result = arithmeticOf(op, type)(
    convertNumber(left, numberIn(a), type),
    convertNumber(right, numberIn(b), type),
  );
  return box(type, result);
}

function defShift(op: string, a: Value, b: Value, left: Kind, right: Kind): Value {
  if (right > KIND.long) throw classCast(`Cannot cast ${classOf(b)} to java.lang.Long`);
  if (left > KIND.long) throw classCast(`Cannot apply [${op}] operation to type [${shownClass(a)}]`);
  const type = left === KIND.long ? 'long' : 'int';
  return box(type, arithmeticOf(op, type)(convertNumber(left, numberIn(a), type), longToInt(numberIn(b))));
}

export function defNegate(op: '-' | '~' | '+', a: Value): Value {
  const kind = kindOf(a);
  if (a === null || kind === KIND.none || (op === '~' && kind > KIND.long))
    throw a === null
      ? nullPointer('Cannot invoke "Object.getClass()" because "args[0]" is null')
      : classCast(
          op === '~' && kind !== KIND.none
            ? `Cannot apply not [~] to type [${shownClass(a)}]`
            : `Cannot apply [${op}] operation to type [${shownClass(a)}].`,
        );
  const type = typeOfKind(Math.max(kind, KIND.int) as Kind);
  return box(type, negated(op, type, convertNumber(kind, numberIn(a), type)));
}

/** Returns a number as Java promotes it beside another for a comparison of the wider kind. */
function beside(kind: Kind, value: Long): Long {
  if (kind === KIND.double) return Number(value);
  return kind === KIND.float ? Math.fround(Number(value)) : value;
}

/** Returns the number in an Integer, a Long below 2^53 or a Double; NaN for any other value. */
function orderedOf(value: Value): number {
  if (typeof value === 'number') return value;
  return value instanceof Boxed && value.kind !== 'Float' ? value.value : Number.NaN;
}

/** `<` of `def`. Most operands are numbers that compare as they are; the general way takes five times as long. */
export function defLess(a: Value, b: Value): boolean {
  const x = orderedOf(a);
  const y = orderedOf(b);
  return Number.isNaN(x) || Number.isNaN(y) ? defOrder('<', a, b) : x < y;
}

export function defLessEqual(a: Value, b: Value): boolean {
  const x = orderedOf(a);
  const y = orderedOf(b);
  return Number.isNaN(x) || Number.isNaN(y) ? defOrder('<=', a, b) : x <= y;
}

export function defGreater(a: Value, b: Value): boolean {
  const x = orderedOf(a);
  const y = orderedOf(b);
  return Number.isNaN(x) || Number.isNaN(y) ? defOrder('>', a, b) : x > y;
}

export function defGreaterEqual(a: Value, b: Value): boolean {
  const x = orderedOf(a);
  const y = orderedOf(b);
  return Number.isNaN(x) || Number.isNaN(y) ? defOrder('>=', a, b) : x >= y;
}

/** Returns a boxed Integer, Long below 2^53 or Double as a double; NaN for NaN and for any other value. */
function doubleOf(value: Value): number {
  if (typeof value === 'number') return value;
  return value instanceof Boxed && value.kind === 'Double' ? value.value : Number.NaN;
}

/*
 * Arithmetic of an unboxed double with a value of `def`, by the side on which the double stands: sums over the values
 * of a column. The result is a Double whatever number the other one is.
 */

export function doubleAdd(a: number, b: Value): Value {
  const sum = a + doubleOf(b);
  return Number.isNaN(sum) ? defAdd(boxDouble(a), b) : boxDouble(sum);
}

export function addDouble(a: Value, b: number): Value {
  const sum = doubleOf(a) + b;
  return Number.isNaN(sum) ? defAdd(a, boxDouble(b)) : boxDouble(sum);
}

export function doubleSubtract(a: number, b: Value): Value {
  const difference = a - doubleOf(b);
  return Number.isNaN(difference) ? defSubtract(boxDouble(a), b) : boxDouble(difference);
}

export function subtractDouble(a: Value, b: number): Value {
  const difference = doubleOf(a) - b;
  return Number.isNaN(difference) ? defSubtract(a, boxDouble(b)) : boxDouble(difference);
}

export function doubleMultiply(a: number, b: Value): Value {
  const product = a * doubleOf(b);
  return Number.isNaN(product) ? defMultiply(boxDouble(a), b) : boxDouble(product);
}

export function multiplyDouble(a: Value, b: number): Value {
  const product = doubleOf(a) * b;
  return Number.isNaN(product) ? defMultiply(a, boxDouble(b)) : boxDouble(product);
}

/** Makes the boxed form of an unboxed number of one primitive type. */
type Box = (value: Long) => Value;

/*
 * Comparisons of an unboxed int, long or double with a value of `def`, by the side on which the unboxed one stands. It
 * is boxed only where the two do not compare as they are: most doubles of a column are whole, so that boxing makes an
 * object of them.
 */

export const numberLess = (a: Long, b: Value, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a < b : defLess(box(a), b);
export const numberLessEqual = (a: Long, b: Value, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a <= b : defLessEqual(box(a), b);
export const numberGreater = (a: Long, b: Value, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a > b : defGreater(box(a), b);
export const numberGreaterEqual = (a: Long, b: Value, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a >= b : defGreaterEqual(box(a), b);
export const lessNumber = (a: Value, b: Long, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a < b : defLess(a, box(b));
export const lessEqualNumber = (a: Value, b: Long, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a <= b : defLessEqual(a, box(b));
export const greaterNumber = (a: Value, b: Long, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a > b : defGreater(a, box(b));
export const greaterEqualNumber = (a: Value, b: Long, box: Box): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a >= b : defGreaterEqual(a, box(b));

/** Compares two boxed numbers. A Long beside a Float or a Double is rounded to one, as Java does. */
function defOrder(op: string, a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return isOrdered(op, a, b);
  const left = kindOf(a);
  const right = kindOf(b);
  if (left === KIND.none || right === KIND.none) throw refusal(op, a, b);
  const kind = Math.max(left, right) as Kind;
  return isOrdered(op, beside(kind, numberIn(a)), beside(kind, numberIn(b)));
}

function isOrdered(op: string, x: Long, y: Long): boolean {
  switch (op) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    default:
      return x >= y;
  }
}

/** `==` of `def`: numbers by value, all else as `equals`. */
export function defEquals(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return (a ?? null) === (b ?? null);
  const left = kindOf(a);
  const right = kindOf(b);
  if (left === KIND.none || right === KIND.none) return equalValues(a, b);
  const kind = Math.max(left, right) as Kind;
  return beside(kind, numberIn(a)) === beside(kind, numberIn(b));
}

/** `===`: the same reference. Small Integers, booleans and constant texts are shared in Java, other numbers are not. */
export function sameReference(a: Value, b: Value): boolean {
  if (a instanceof Boxed || b instanceof Boxed) return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b && a >= -128 && a <= 127 && Number.isInteger(a);
  return a === b;
}
