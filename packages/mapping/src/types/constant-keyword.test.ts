import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const constant = fieldTable({ type: 'constant_keyword', value: 'a' });

test('constant_keyword gives each document its value', () =>
  constant.indexes([
    ['a', { f: ['a'] }],
    [null, { f: ['a'] }],
  ]));

test('constant_keyword refuses other values', () =>
  constant.refuses([
    [
      'b',
      'illegal_argument_exception: [constant_keyword] field [f] only accepts values that are equal to the ' +
        'value defined in the mappings [a], but got [b]',
    ],
    [{ x: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"],
  ]));

test('term queries look for the value', () =>
  constant.terms([
    ['a', { kind: 'term', term: 'a' }],
    ['b', { kind: 'term', term: 'b' }],
  ]));
