import { test } from 'node:test';
import { COMPLETION_SEPARATOR } from './completion.js';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const suggest = fieldTable({ type: 'completion' });

test('completion refuses inputs that are none', () =>
  suggest.refuses([
    [5, 'parsing_exception: failed to parse [f]: expected text or object, but got VALUE_NUMBER'],
    [
      { input: 'a', weight: -1 },
      'illegal_argument_exception: weight must be in the interval [0..2147483647], but was [-1]',
    ],
    [{ input: 'a', weight: 'x' }, 'illegal_argument_exception: weight must be an integer, but was [x]'],
  ]));

test('completion takes texts and objects only in an array', () =>
  suggest.refuses([
    [['a', null], 'parsing_exception: failed to parse [null]: expected text or object, but got VALUE_NULL'],
    [[['a']], 'parsing_exception: failed to parse [null]: expected text or object, but got START_ARRAY'],
  ]));

test('completion refuses parameters that it does not take', () =>
  refusesDefinitions([
    [
      { type: 'completion', analyzer: 'none' },
      'illegal_argument_exception: analyzer [none] has not been configured in mappings',
    ],
    [
      { type: 'completion', contexts: [{ name: 'c', type: 'magic' }] },
      'illegal_argument_exception: No context type for [magic]',
    ],
  ]));

test('a point of a context that earlier builds took is kept where its document was accepted', () => {
  const definition = { type: 'completion', contexts: [{ name: 'c', type: 'geo' }] };
  const value = { input: 'a', contexts: { c: { geohash: 'u33db', lat: 1 } } };
  fieldTable(definition).refuses([
    [value, 'parse_exception: field must be either lat/lon, geohash string or type/coordinates'],
  ]);
  const term = ['a', '0000000001', 'a', '{"c":["u33db0000000"]}'].join(COMPLETION_SEPARATOR);
  fieldTable(definition, { isLogged: true }).indexes([[value, { f: [term] }]]);
});
