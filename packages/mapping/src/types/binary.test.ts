import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const stored = fieldTable({ type: 'binary', doc_values: true });
const plain = fieldTable({ type: 'binary' });

test('binary indexes the bytes of base64 when it has doc values', () =>
  stored.indexes([
    ['aGVsbG8=', { f: ['68656c6c6f'] }],
    [['aGk='], { f: ['6869'] }],
  ]));

test('binary cannot be searched', () =>
  stored.terms([['aGk=', 'illegal_argument_exception: Binary fields do not support searching']]));

test('binary indexes nothing by default', () =>
  plain.indexes([
    ['aGVsbG8=', {}],
    [null, {}],
  ]));

test('binary refuses objects, with doc values and without', () => {
  const text = 'Current token (START_OBJECT) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary';
  for (const field of [stored, plain]) field.refuses([[{ x: 1 }, `x_content_parse_exception: [1:7] ${text}`]]);
});

test('binary keeps no terms', () => plain.keeps(null));

test('binary refuses parameters that it does not have', () =>
  refusesDefinitions([
    [
      { type: 'binary', index: false },
      'mapper_parsing_exception: unknown parameter [index] on mapper [f] of type [binary]',
    ],
    [
      { type: 'binary', doc_values: 'x' },
      'illegal_argument_exception: Failed to parse value [x] as only [true] or [false] are allowed.',
    ],
  ]));
