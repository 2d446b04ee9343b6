import { errors } from '@shoal/errors';
import { isNumeric, javaClass, toNumber } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

type Order = (a: unknown, b: unknown) => number;

const byValue: Order = (a, b) => {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumeric(a) && isNumeric(b)) return toNumber(a) - toNumber(b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw errors.illegalArgument(`class ${javaClass(a)} cannot be compared with class ${javaClass(b)}`);
};

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
