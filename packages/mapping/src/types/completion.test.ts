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

const SEPARATOR = COMPLETION_SEPARATOR;
const inputTerm = (analysed: string, weight: number, input = analysed): string =>
  [analysed, String(weight).padStart(10, '0'), input].join(SEPARATOR);

test('each input of a document is indexed once: a text weighs 1, of objects the heaviest counts', () =>
  suggest.indexes([
    [['fox', 'fox'], { f: [inputTerm('fox', 1)] }],
    [{ input: ['fox', 'fox', 'Fox'], weight: 3 }, { f: [inputTerm('fox', 3), inputTerm('fox', 3, 'Fox')] }],
    [['fox', { input: 'fox', weight: 9 }, { input: 'fox', weight: 4 }], { f: [inputTerm('fox', 9)] }],
    [[{ input: 'fox', weight: 9 }, 'fox'], { f: [inputTerm('fox', 1)] }],
  ]));

test('inputs without a token have no term; blank ones are ignored', () =>
  suggest.indexes([
    ['2024', { _field_names: ['f'] }],
    [['2024', 'fox'], { f: [inputTerm('fox', 1)] }],
    [[' \t', 'fox'], { f: [inputTerm('fox', 1)], _ignored: ['f'] }],
    ['', { _field_names: ['f'], _ignored: ['f'] }],
    [{ weight: 3 }, { _field_names: ['f'] }],
  ]));

test('an input is shortened between characters', () =>
  fieldTable({ type: 'completion', max_input_length: 5 }).indexes([
    ['abcd\u{1f600}f', { f: [inputTerm('abcd', 1, 'abcd\u{1f600}')] }],
  ]));

test('inputs with characters that separate the parts of terms are refused, and left out where they were taken', () => {
  suggest.refuses([
    [
      `a${SEPARATOR}b`,
      `illegal_argument_exception: Illegal input [a${SEPARATOR}b] UTF-16 codepoint [0x1f] ` +
        'at position 1 is a reserved character',
    ],
  ]);
  fieldTable({ type: 'completion' }, { isLogged: true }).indexes([
    [['fox', `a${SEPARATOR}b`], { f: [inputTerm('fox', 1)] }],
  ]);
});
