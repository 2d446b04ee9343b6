import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const flat = fieldTable({ type: 'flattened' });
const short = fieldTable({ type: 'flattened', ignore_above: 2, depth_limit: 2, null_value: 'n' });

test('flattened indexes leaves as terms and terms with their keys', () =>
  flat.indexes([
    [
      { a: 'x', b: { c: [1, true] } },
      { f: ['x', '1', 'true'], 'f.a': ['x'], 'f.b.c': ['1', 'true'] },
    ],
    [null, {}],
  ]));

test('flattened refuses values that are no objects', () =>
  flat.refuses([
    ['x', 'parsing_exception: Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_STRING]'],
    [5, 'parsing_exception: Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_NUMBER]'],
  ]));

test('term queries look at all leaves', () => flat.terms([['x', { kind: 'term', term: 'x' }]]));

test('long leaves are left out, null_value stands in for null', () =>
  short.indexes([
    [
      { a: 'xyz', b: 'ok', c: null },
      { f: ['ok', 'n'], 'f.b': ['ok'], 'f.c': ['n'] },
    ],
  ]));

test('flattened refuses parameters that it does not take', () =>
  refusesDefinitions([
    [{ type: 'flattened', depth_limit: -1 }, 'illegal_argument_exception: [depth_limit] must be positive, got [-1]'],
    [
      { type: 'flattened', index_options: 'positions' },
      'mapper_parsing_exception: Unknown value [positions] for field [index_options] - accepted values ' +
        'are [docs, freqs]',
    ],
    [
      { type: 'flattened', analyzer: 'standard' },
      'mapper_parsing_exception: unknown parameter [analyzer] on mapper [f] of type [flattened]',
    ],
  ]));
