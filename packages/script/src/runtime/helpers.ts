import { formatDouble, formatFloat } from '@shoal/values';
import * as access from './access.js';
import { arithmeticOf } from './arithmetic.js';
import { boxDouble, boxLong, charOf, unboxBoolean, unboxNumber } from './boxes.js';
import { cellBoolean, cellDate, cellNumber } from './cell.js';
import { currentBudget } from './budget.js';
import {
  addDouble,
  defAdd,
  defDivide,
  defEquals,
  defGreater,
  defGreaterEqual,
  defLess,
  defLessEqual,
  defMath,
  defMultiply,
  defNegate,
  defSubtract,
  doubleAdd,
  doubleMultiply,
  doubleSubtract,
  greaterEqualNumber,
  greaterNumber,
  lessEqualNumber,
  lessNumber,
  multiplyDouble,
  numberGreater,
  numberGreaterEqual,
  numberLess,
  numberLessEqual,
  sameReference,
  subtractDouble,
} from './def-math.js';
import * as dispatch from './dispatch.js';
import { concat, textOf } from './java-text.js';
import { isList, listGet, listSet } from './lists.js';
import * as longs from './longs.js';
import { ExceptionValue, raised, Thrown } from './thrown.js';
import { Boxed, type Value } from './values.js';

function unboxInt(value: Value): number {
  return typeof value === 'number' && (value | 0) === value ? value : (unboxNumber(value, 'int', false) as number);
}

/** Returns the exception of a `catch`; null for an end of the script that it cannot catch. */
function caught(error: unknown): ExceptionValue | null {
  return error instanceof Thrown ? new ExceptionValue(error.javaClass, error.told) : null;
}

function list(target: Value): Parameters<typeof listGet>[0] {
  const present = access.present(target);
  return isList(present) ? present : ([] as Value[]);
}

/** What generated scripts may call: nothing of it is a member of JavaScript's own objects. */
const table = {
  ...longs,
  cellNumber,
  cellBoolean,
  cellDate,
  arrayGet: access.arrayGet,
  arraySet: access.arraySet,
  arrayLength: access.arrayLength,
  newArray: access.newArray,
  arrayOf: access.arrayOf,
  list: access.list,
  map: access.map,
  iterate: access.iterate,
  iterateArray: access.iterateArray,
  indexGet: access.indexGet,
  indexSet: access.indexSet,
  mapGet: access.mapIndexGet,
  mapSet: access.mapIndexSet,
  listGet: (target: Value, index: number) => listGet(list(target), index),
  listSet: (target: Value, index: number, value: Value) => listSet(access.present(target), index, value),
  present: access.present,
  bound: dispatch.bound,
  adapt: dispatch.adapt,
  isInstance: dispatch.isInstance,
  checkClass: dispatch.checkClass,
  divideInt: arithmeticOf('/', 'int'),
  remainderInt: arithmeticOf('%', 'int'),
  divideLong: arithmeticOf('/', 'long'),
  remainderLong: arithmeticOf('%', 'long'),
  defAdd,
  defSubtract,
  defMultiply,
  defDivide,
  defMath,
  defNegate,
  doubleAdd,
  addDouble,
  doubleSubtract,
  subtractDouble,
  doubleMultiply,
  multiplyDouble,
  less: defLess,
  lessEqual: defLessEqual,
  greater: defGreater,
  greaterEqual: defGreaterEqual,
  numberLess,
  numberLessEqual,
  numberGreater,
  numberGreaterEqual,
  lessNumber,
  lessEqualNumber,
  greaterNumber,
  greaterEqualNumber,
  isEqual: defEquals,
  isSame: sameReference,
  boxInt: (value: number) => value,
  boxLong,
  boxDouble,
  boxFloat: (value: number) => new Boxed('Float', value),
  boxShort: (value: number) => new Boxed('Short', value),
  boxByte: (value: number) => new Boxed('Byte', value),
  boxChar: (value: number) => new Boxed('Character', value),
  unboxInt,
  unboxNumber,
  unboxBoolean,
  charOf,
  concat,
  text: textOf,
  charText: (value: number) => String.fromCharCode(value),
  doubleText: formatDouble,
  floatText: formatFloat,
  caught,
  thrown: raised,
  tick: (left: number) => currentBudget().tick(left),
  enter: () => currentBudget().enter(),
  leave: () => currentBudget().leave(),
  forms: (run: unknown, each: unknown) => ({ run, each }),
};

/**
 * Without a prototype. It loses it last: V8 keeps the members of an object that was made without one in a hash table,
 * in which each call of a helper would look it up, and inlines none of them.
 */
export const helpers: Readonly<typeof table> = Object.freeze(Object.setPrototypeOf({ ...table }, null) as typeof table);
