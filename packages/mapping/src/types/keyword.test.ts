import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const word = fieldTable({ type: 'keyword' });
const short = fieldTable({ type: 'keyword', ignore_above: 3, null_value: 'none' });
const low = fieldTable({ type: 'keyword', normalizer: 'lowercase', doc_values: false, norms: true });
const hidden = fieldTable({ type: 'keyword', index: false });

test('keyword keeps terms and a column, without frequencies', () =>
  word.keeps({ terms: { freqs: false, positions: false, norms: false }, column: 'ordinals', points: false }));

test('keyword indexes the text of values', () =>
  word.indexes([
    ['Red', { f: ['Red'] }],
    [5, { f: ['5'] }],
    [1.5, { f: ['1.5'] }],
    [true, { f: ['true'] }],
    [['a', 'a', 'b'], { f: ['a', 'a', 'b'] }],
    ['', { f: [''] }],
    [null, {}],
  ]));

test('keyword refuses objects and terms beyond 32,766 bytes', () =>
  word.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));

test('term queries take values as text', () =>
  word.terms([
    ['Red', { kind: 'term', term: 'Red' }],
    [5, { kind: 'term', term: '5' }],
    [true, { kind: 'term', term: 'true' }],
  ]));

test('range queries compare terms', () =>
  word.ranges([
    [
      { gte: 'a', lt: 'b' },
      { kind: 'terms', low: 'a', high: 'b', includeLow: true, includeHigh: false },
    ],
    [{ gt: 'a' }, { kind: 'terms', low: 'a', high: null, includeLow: false, includeHigh: true }],
  ]));

test('long values are left out, null_value stands in for null', () =>
  short.indexes([
    ['abcd', { _ignored: ['f'] }],
    ['abc', { f: ['abc'] }],
    [null, { _ignored: ['f'] }],
  ]));

test('a normalizer changes terms of documents and queries', () => low.indexes([['ABC', { f: ['abc'] }]]));

test('terms of queries are normalized too', () => low.terms([['ABC', { kind: 'term', term: 'abc' }]]));

test('norms are kept and columns left out when asked', () =>
  low.keeps({ terms: { freqs: false, positions: false, norms: true }, column: null, points: false }));

test('without an index the column is kept', () => hidden.keeps({ terms: null, column: 'ordinals', points: false }));

test('and searched', () => hidden.terms([['a', { kind: 'term', term: 'a' }]]));

test('keyword refuses parameters that it does not take', () =>
  refusesDefinitions([
    [{ type: 'keyword', normalizer: 'none' }, 'mapper_parsing_exception: normalizer [none] not found for field [f]'],
    [
      { type: 'keyword', analyzer: 'standard' },
      'mapper_parsing_exception: unknown parameter [analyzer] on mapper [f] of type [keyword]',
    ],
    [
      { type: 'keyword', index_options: 'positions' },
      'mapper_parsing_exception: Unknown value [positions] for field [index_options] - accepted values ' +
        'are [docs, freqs]',
    ],
    [
      { type: 'keyword', doc_values: 1 },
      'illegal_argument_exception: Failed to parse value [1] as only [true] or [false] are allowed.',
    ],
  ]));
