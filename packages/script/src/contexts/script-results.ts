import { errors } from '@shoal/errors';
import { textOf } from '../runtime/java-text.js';
import { Thrown } from '../runtime/thrown.js';
import { toJson } from '../runtime/to-json.js';
import { JavaArray, type Value } from '../runtime/values.js';

/** Makes something of a result. What cannot be made is an error of its own, behind the script. */
function behindScript<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw errors.illegalArgument('Iterable object is self-referencing itself');
    throw error instanceof Thrown ? errors.illegalArgument(error.told) : error;
  }
}

/** Returns what a script of `script_fields` made as JSON. The items of a list are values; an array is one value. */
export const fieldResult = (result: Value): unknown =>
  behindScript(() => (result instanceof JavaArray ? [toJson(result)] : toJson(result)));

/** Returns what a script made as its text. */
export const textResult = (result: Value): string | null =>
  result === null ? null : behindScript(() => textOf(result));
