import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const count = fieldTable({ type: 'token_count', analyzer: 'standard' });

test('token_count indexes how many words a text has', () =>
  count.indexes([
    ['Quick brown fox', { f: [3] }],
    [['a', 'b c'], { f: [1, 2] }],
    [null, {}],
  ]));

test('term queries take numbers', () =>
  count.terms([
    [3, { kind: 'number', low: 3, high: 3 }],
    ['x', 'number_format_exception: For input string: "x"'],
  ]));

test('token_count needs an analyzer', () =>
  refusesDefinitions([
    [{ type: 'token_count' }, "mapper_parsing_exception: Analyzer must be set for field [f] but wasn't."],
  ]));
