import { numberIn } from './boxes.js';
import { HostList, JavaArray, type Value } from './values.js';

/** Returns numbers as the `double[]` that a variable of a script holds. */
export function doubleArray(values: number[]): JavaArray {
  return new JavaArray('double', values);
}

/** Returns numbers as the `float[]` that a variable of a script holds. */
export function floatArray(values: number[]): JavaArray {
  return new JavaArray('float', values);
}

/** Returns the numbers of a list or an array of a script; null for another value. */
export function numbersOf(value: unknown): number[] | null {
  if (value instanceof JavaArray) return (value.values as number[]).map(Number);
  const list = value instanceof HostList ? [...value] : value;
  if (!Array.isArray(list)) return null;
  const numbers = list.map((one) => Number(numberIn(one as Value)));
  return numbers.some(Number.isNaN) ? null : numbers;
}
