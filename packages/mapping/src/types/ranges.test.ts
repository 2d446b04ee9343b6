import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const numbers = fieldTable({ type: 'integer_range' });
const dates = fieldTable({ type: 'date_range', format: 'yyyy-MM-dd' });
const floats = fieldTable({ type: 'float_range' });
const addresses = fieldTable({ type: 'ip_range' });

test('integer_range refuses bounds that are none', () =>
  numbers.refuses([
    [5, 'document_parsing_exception: [1:6] error parsing field [f], expected an object but got f'],
    [{ gte: 'x' }, 'number_format_exception: For input string: "x"'],
    [{ gte: 5, lte: 1 }, 'illegal_argument_exception: min value (5) is greater than max value (1)'],
    [{ gte: 1, up: 2 }, 'document_parsing_exception: [1:20] error parsing field [f], with unknown parameter [up]'],
    [
      { gte: 3000000000 },
      'x_content_parse_exception: [1:23] Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)',
    ],
  ]));

test('date_range reads bounds by its format', () =>
  dates.refuses([
    [
      { gte: '15.01.2024' },
      'parse_exception: failed to parse date field [15.01.2024] with format [yyyy-MM-dd]: [failed to ' +
        'parse date field [15.01.2024] with format [yyyy-MM-dd]]',
    ],
  ]));

test('ip_range reads addresses', () =>
  addresses.refuses([[{ gte: 'x' }, "illegal_argument_exception: 'x' is not an IP string literal."]]));

test('ranges refuse parameters that they do not take', () =>
  refusesDefinitions([
    [
      { type: 'date_range', format: 'foo(' },
      'illegal_argument_exception: Invalid format: [foo(]: Unknown pattern letter: f',
    ],
    [
      { type: 'long_range', null_value: 1 },
      'mapper_parsing_exception: unknown parameter [null_value] on mapper [f] of type [long_range]',
    ],
  ]));

test('a query on ranges whose lower bound is above its upper one is refused', () =>
  numbers.ranges([
    [{ gte: 7, lt: 3 }, 'illegal_argument_exception: Range query `from` value (7) is greater than `to` value (3)'],
    [{ gte: 2.5 }, 'illegal_argument_exception: Value [2.5] has a decimal part'],
  ]));

test('an excluded bound of a float_range becomes the next float', () =>
  floats.refuses([
    [{ gt: 3, lt: 3 }, 'illegal_argument_exception: min value (3.0000002) is greater than max value (2.9999998)'],
    [{ gt: -3, lt: -3 }, 'illegal_argument_exception: min value (-2.9999998) is greater than max value (-3.0000002)'],
  ]));
