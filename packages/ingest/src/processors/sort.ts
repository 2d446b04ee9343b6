import { type ApiError, errors } from '@shoal/errors';
import { isNumeric, javaClass, toNumber } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

type Order = (a: unknown, b: unknown) => number;

/** The name that a class of Java has for its number or text inside, which the error of a missing one tells. */
const MISSING: Readonly<Record<string, string>> = { String: 'anotherString', Boolean: 'b' };

/** Java's `a.compareTo(b)`, for which both have to be of one class. */
const byValue: Order = (a, b) => {
  if (a === null)
    throw errors.nullPointer('Cannot invoke "java.lang.Comparable.compareTo(Object)" because a value is null');
  const [ofA, ofB] = [javaClass(a), javaClass(b)];
  if (b === null) {
    const bare = ofA.replace('java.lang.', '');
    throw errors.nullPointer(`Cannot read field "value" because "${MISSING[bare] ?? `another${bare}`}" is null`);
  }
  if (ofA !== ofB) throw cannotCast(ofB, ofA);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumeric(a) && isNumeric(b)) return toNumber(a) - toNumber(b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw cannotCast(ofA, 'java.lang.Comparable');
};

const cannotCast = (from: string, to: string): ApiError =>
  errors.classCast(
    `class ${from} cannot be cast to class ${to} (${from} and ${to} are in module java.base of loader 'bootstrap')`,
  );

/** Sorts the items of a list: numbers by value, texts by their units. */
export const sort: ProcessorType = {
  name: 'sort',
  parse(config) {
    const field = config.string('field');
    const targetField = config.stringOr('target_field', field);
    const order = config.stringOr('order', 'asc');
    if (order !== 'asc' && order !== 'desc')
      throw config.error('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`);
    const compare: Order = order === 'asc' ? byValue : (a, b) => byValue(b, a);
    return (document) => {
      const list = document.list(field);
      if (list === null) throw errors.illegalArgument(`field [${field}] is null, cannot sort.`);
      document.set(targetField, [...list].sort(compare));
    };
  },
};
