import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const flag = fieldTable({ type: 'boolean' });
const withNull = fieldTable({ type: 'boolean', null_value: true });

test('boolean keeps numbers with an index', () => flag.keeps({ terms: null, column: 'long', points: true }));

test('boolean indexes 1 for true and 0 for false', () =>
  flag.indexes([
    [true, { f: [1] }],
    ['false', { f: [0] }],
    ['', { f: [0] }],
    [[true, false], { f: [1, 0] }],
    [null, {}],
  ]));

test('boolean refuses other values', () =>
  flag.refuses([
    ['yes', 'illegal_argument_exception: Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [1, 'x_content_parse_exception: [1:7] Current token (VALUE_NUMBER_INT) not of boolean type'],
    [{ a: 1 }, 'x_content_parse_exception: [1:7] Current token (START_OBJECT) not of boolean type'],
  ]));

test('term queries take true, false and their texts', () =>
  flag.terms([
    [true, { kind: 'number', low: 1, high: 1 }],
    ['false', { kind: 'number', low: 0, high: 0 }],
    ['yes', "illegal_argument_exception: Can't parse boolean value [yes], expected [true] or [false]"],
  ]));

test('range queries order false before true', () =>
  flag.ranges([
    [{ gt: false }, { kind: 'number', low: 1, high: 1 }],
    [{ lte: 'false' }, { kind: 'number', low: 0, high: 0 }],
    [{ gt: true }, { kind: 'none' }],
  ]));

test('boolean shows its names', () =>
  flag.shows([
    [1, null, null, 'true'],
    [0, null, null, 'false'],
  ]));

test('null_value stands in for null', () =>
  withNull.indexes([
    [null, { f: [1] }],
    [[null, false], { f: [1, 0] }],
  ]));

test('boolean refuses parameters that it does not take', () =>
  refusesDefinitions([
    [
      { type: 'boolean', null_value: 'yes' },
      'illegal_argument_exception: Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    [
      { type: 'boolean', format: 'x' },
      'mapper_parsing_exception: unknown parameter [format] on mapper [f] of type [boolean]',
    ],
    [
      { type: 'boolean', index: 'maybe' },
      'illegal_argument_exception: Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ]));
