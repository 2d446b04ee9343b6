import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const long = fieldTable({ type: 'long' });
const integer = fieldTable({ type: 'integer' });
const short = fieldTable({ type: 'short' });
const byte = fieldTable({ type: 'byte' });
const strict = fieldTable({ type: 'long', coerce: false, null_value: 3 });
const lenient = fieldTable({ type: 'integer', ignore_malformed: true, doc_values: false });

test('long keeps numbers with an index', () => long.keeps({ terms: null, column: 'long', points: true }));

test('long indexes whole numbers, decimals without their fraction', () =>
  long.indexes([
    [5, { f: [5] }],
    ['7', { f: [7] }],
    [1.9, { f: [1] }],
    ['-1.9', { f: [-1] }],
    [['1', 2], { f: [1, 2] }],
    ['', {}],
    [null, {}],
  ]));

test('long refuses texts, booleans and numbers out of range', () =>
  long.refuses([
    ['x', 'illegal_argument_exception: For input string: "x"'],
    [
      true,
      'x_content_parse_exception: [1:10] Current token (VALUE_TRUE) not numeric, can not use numeric ' +
        'value accessors',
    ],
    ['9223372036854775808', 'illegal_argument_exception: Value [9223372036854775808] is out of range for a long'],
    [{ a: 1 }, 'illegal_argument_exception: Cannot parse object as number'],
  ]));

test('term queries take whole numbers', () =>
  long.terms([
    [5, { kind: 'number', low: 5, high: 5 }],
    ['5', { kind: 'number', low: 5, high: 5 }],
    [1.5, { kind: 'none', reason: 'Value [1.5] has a decimal part' }],
    ['x', 'number_format_exception: For input string: "x"'],
  ]));

test('range queries move bounds inwards', () =>
  long.ranges([
    [
      { gt: 1.5, lt: 4.5 },
      { kind: 'number', low: 2, high: 4 },
    ],
    [
      { gte: '3', lte: 5 },
      { kind: 'number', low: 3, high: 5 },
    ],
    [
      { gt: 5, lt: 6 },
      { kind: 'none', reversed: { kind: 'number', low: 6, high: 5 } },
    ],
    [{ gte: 'x' }, 'number_format_exception: For input string: "x"'],
  ]));

test('long shows whole numbers, or by a pattern', () =>
  long.shows([
    [5, null, null, '5'],
    [12345, '#,###', null, '12,345'],
    [5, '000', null, '005'],
  ]));

test('integer refuses what 32 bits cannot hold', () =>
  integer.refuses([
    [
      2147483648,
      'x_content_parse_exception: [1:16] Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      -2147483649,
      'x_content_parse_exception: [1:17] Numeric value (-2147483649) out of range of int (-2147483648 - ' +
        '2147483647)',
    ],
  ]));

test('terms out of range are refused', () =>
  integer.terms([[1000000000000, 'illegal_argument_exception: Value [1000000000000] is out of range for an integer']]));

test('short refuses what 16 bits cannot hold', () =>
  short.refuses([
    [40000, 'x_content_parse_exception: [1:11] Numeric value (40000) out of range of Java short'],
    ['-40000', 'illegal_argument_exception: Value [-40000] is out of range for a short'],
  ]));

test('byte refuses what 8 bits cannot hold', () =>
  byte.refuses([
    [128, 'illegal_argument_exception: Value [128] is out of range for a byte'],
    [-129, 'illegal_argument_exception: Value [-129] is out of range for a byte'],
  ]));

test('texts and fractions are refused without coerce', () =>
  strict.refuses([
    ['5', 'illegal_argument_exception: Long value passed as String'],
    [1.5, 'illegal_argument_exception: 1.5 cannot be converted to Long without data loss'],
  ]));

test('null_value stands in for null', () => strict.indexes([[null, { f: [3] }]]));

test('malformed numbers are ignored when asked', () =>
  lenient.indexes([
    ['x', { _ignored: ['f'] }],
    [[1, 'x'], { f: [1], _ignored: ['f'], _field_names: ['f'] }],
  ]));

test('without a column the index is kept', () => lenient.keeps({ terms: null, column: null, points: true }));

test('numbers refuse parameters that they do not take', () =>
  refusesDefinitions([
    [{ type: 'long', null_value: 'x' }, 'number_format_exception: For input string: "x"'],
    [{ type: 'byte', null_value: 200 }, 'illegal_argument_exception: Value [200] is out of range for a byte'],
    [
      { type: 'long', coerce: 'x' },
      'illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
    [
      { type: 'integer', format: 'x' },
      'mapper_parsing_exception: unknown parameter [format] on mapper [f] of type [integer]',
    ],
    [
      { type: 'long', similarity: 'BM25' },
      'mapper_parsing_exception: unknown parameter [similarity] on mapper [f] of type [long]',
    ],
  ]));
