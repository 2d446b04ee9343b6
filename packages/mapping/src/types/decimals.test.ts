import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const double = fieldTable({ type: 'double' });
const float = fieldTable({ type: 'float' });
const half = fieldTable({ type: 'half_float' });
const scaled = fieldTable({ type: 'scaled_float', scaling_factor: 100 });
const strict = fieldTable({ type: 'double', coerce: false, null_value: 2 });

test('half_float is stored before it is rounded', () => {
  assert.equal(half.type.storedValue(8.66), Math.fround(8.66));
  assert.equal(half.type.fetchValue(8.66, null), 8.65625);
});

test('double keeps decimals with an index', () => double.keeps({ terms: null, column: 'double', points: true }));

test('double indexes numbers and texts of numbers', () =>
  double.indexes([
    [1.5, { f: [1.5] }],
    ['2e3', { f: [2000] }],
    [-0.1, { f: [-0.1] }],
    [['1', 2], { f: [1, 2] }],
    ['', {}],
    [null, {}],
  ]));

test('double refuses texts, booleans and infinite values', () =>
  double.refuses([
    ['x', 'number_format_exception: For input string: "x"'],
    [
      true,
      'x_content_parse_exception: [1:10] Current token (VALUE_TRUE) not numeric, can not use numeric ' +
        'value accessors',
    ],
    ['Infinity', 'illegal_argument_exception: [double] supports only finite values, but got [Infinity]'],
    [{ a: 1 }, 'illegal_argument_exception: Cannot parse object as number'],
  ]));

test('term queries take decimals', () =>
  double.terms([
    [1.5, { kind: 'number', low: 1.5, high: 1.5 }],
    ['2', { kind: 'number', low: 2, high: 2 }],
    ['x', 'number_format_exception: For input string: "x"'],
  ]));

test('range queries move excluded bounds to the next double', () =>
  double.ranges([
    [
      { gte: 1, lte: 2.5 },
      { kind: 'number', low: 1, high: 2.5 },
    ],
    [
      { gt: 1, lt: 2 },
      { kind: 'number', low: 1.0000000000000002, high: 1.9999999999999998 },
    ],
    [
      { gt: 2, lt: 2 },
      { kind: 'none', reversed: { kind: 'number', low: 2.0000000000000004, high: 1.9999999999999998 } },
    ],
  ]));

test('double shows decimals as Java does, or by a pattern', () =>
  double.shows([
    [1, null, null, '1.0'],
    [10000000000, null, null, '1.0E10'],
    [1234.567, '#,##0.00', null, '1,234.57'],
    [0.1, null, null, '0.1'],
  ]));

test('float rounds to 32 bits', () =>
  float.indexes([
    [0.1, { f: [0.10000000149011612] }],
    [16777217, { f: [16777216] }],
  ]));

test('float refuses what 32 bits cannot hold', () =>
  float.refuses([['1e39', 'illegal_argument_exception: [float] supports only finite values, but got [Infinity]']]));

test('term queries on float are rounded too', () =>
  float.ranges([[{ gte: 0.1 }, { kind: 'number', low: 0.10000000149011612, high: Infinity }]]));

test('half_float rounds to 16 bits', () =>
  half.indexes([
    [0.1, { f: [0.0999755859375] }],
    [2049, { f: [2048] }],
  ]));

test('half_float refuses what 16 bits cannot hold', () =>
  half.refuses([[65520, 'illegal_argument_exception: [half_float] supports only finite values, but got [65520.0]']]));

test('scaled_float rounds to a share of its factor', () =>
  scaled.indexes([
    [1.239, { f: [1.24] }],
    ['0.005', { f: [0.01] }],
    [-2.5, { f: [-2.5] }],
  ]));

test('scaled_float refuses texts', () => scaled.refuses([['x', 'number_format_exception: For input string: "x"']]));

test('texts are refused without coerce', () =>
  strict.refuses([['1', 'illegal_argument_exception: Double value passed as String']]));

test('null_value stands in for null', () => strict.indexes([[null, { f: [2] }]]));

test('decimals refuse parameters that they do not take', () =>
  refusesDefinitions([
    [{ type: 'float', null_value: 'x' }, 'number_format_exception: For input string: "x"'],
    [
      { type: 'double', index: 'x' },
      'illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
    [
      { type: 'double', scaling_factor: 10 },
      'mapper_parsing_exception: unknown parameter [scaling_factor] on mapper [f] of type [double]',
    ],
  ]));
