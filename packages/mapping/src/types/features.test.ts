import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const rank = fieldTable({ type: 'rank_feature' });
const ranks = fieldTable({ type: 'rank_features' });
const sparse = fieldTable({ type: 'sparse_vector' });

test('rank_feature indexes a positive number', () =>
  rank.indexes([
    [3, { f: [3] }],
    ['0.5', { f: [0.5] }],
    [null, {}],
  ]));

test('rank_feature keeps the inverse of values that lower scores', () =>
  fieldTable({ type: 'rank_feature', positive_score_impact: false }).indexes([
    [4, { f: [0.25] }],
    [22, { f: [0.04541015625] }],
  ]));

test('rank_feature refuses others', () =>
  rank.refuses([
    [
      0,
      'illegal_argument_exception: featureValue must be a positive normal float, got: 0.0 for feature f on ' +
        'field _feature which is less than the minimum positive normal float: 1.1754944E-38',
    ],
    [
      -1,
      'illegal_argument_exception: featureValue must be a positive normal float, got: -1.0 for feature f on ' +
        'field _feature which is less than the minimum positive normal float: 1.1754944E-38',
    ],
    ['x', 'number_format_exception: For input string: "x"'],
  ]));

test('rank_feature has no ranges', () =>
  rank.ranges([
    [{ gte: 1 }, 'illegal_argument_exception: Field [f] of type [rank_feature] does not support range queries'],
  ]));

test('rank_features indexes a term for each key, whose frequency stands for the value', () =>
  ranks.indexes([
    [
      { a: 1, b: '2.5' },
      { f: ['a 32512', 'b 32832'], _field_names: ['f'] },
    ],
  ]));

test('rank_features refuses values that are no objects of numbers', () =>
  ranks.refuses([
    [
      { 'a.b': 1 },
      'illegal_argument_exception: [rank_features] fields do not support dots in feature names but found [a.b]',
    ],
    [
      5,
      'illegal_argument_exception: [rank_features] fields must be json objects, expected a START_OBJECT ' +
        'but got: VALUE_NUMBER',
    ],
    [
      { a: -1 },
      'illegal_argument_exception: featureValue must be a positive normal float, got: -1.0 for feature a on ' +
        'field f which is less than the minimum positive normal float: 1.1754944E-38',
    ],
    [
      { a: [1, 2] },
      'illegal_argument_exception: [rank_features] fields take hashes that map a feature to a strictly positive ' +
        'float, but got unexpected token START_ARRAY',
    ],
    [
      [{ a: 1 }, { a: 2 }],
      'illegal_argument_exception: [rank_features] fields do not support indexing multiple values for the same rank ' +
        'feature [f.a] in the same document',
    ],
  ]));

test('sparse_vector indexes a weight for each term', () =>
  sparse.indexes([
    [
      { a: 1, b: 0.5 },
      { f: ['a 32512', 'b 32256'], _field_names: ['f'] },
    ],
    [[{ a: 1 }, { b: null }, { '': '3.5' }], { f: ['a 32512', ' 32960'], _field_names: ['f', 'f'] }],
    [{}, { _field_names: ['f'] }],
    [[], {}],
  ]));

test('a term of a sparse_vector is a token', () =>
  sparse.terms([
    ['a', { kind: 'term', term: 'a' }],
    [1, { kind: 'term', term: '1' }],
  ]));

test('sparse_vector refuses other values', () =>
  sparse.refuses([
    [
      5,
      'illegal_argument_exception: [sparse_vector] fields must be json objects, expected a START_OBJECT ' +
        'but got: VALUE_NUMBER',
    ],
    [
      null,
      'illegal_argument_exception: [sparse_vector] fields must be json objects, expected a START_OBJECT but got: ' +
        'VALUE_NULL',
    ],
    [{ a: 'x' }, 'number_format_exception: For input string: "x"'],
    [
      { a: true },
      'illegal_argument_exception: [sparse_vector] fields take hashes that map a feature to a strictly positive ' +
        'float, but got unexpected token VALUE_BOOLEAN',
    ],
    [{ a: 1e39 }, 'illegal_argument_exception: featureValue must be finite, got: Infinity for feature a on field f'],
    [
      [{ a: 1 }, { a: 2 }],
      'illegal_argument_exception: [sparse_vector] fields do not support indexing multiple values for the same ' +
        'feature [f.a] in the same document',
    ],
  ]));

test('documents of an earlier build may repeat features and have nulls', () =>
  fieldTable({ type: 'sparse_vector' }, { isLogged: true }).indexes([
    [null, {}],
    [[{ a: 1 }, { a: 2 }], { f: ['a 32512'], _field_names: ['f'] }],
  ]));

test('documents of an earlier build may have values beyond 32 bits and names that are too long', () => {
  const long = 'x'.repeat(32_767);
  sparse.refuses([
    [
      { ['y'.repeat(40_000)]: 1 },
      'illegal_argument_exception: Document contains at least one immense term in field="f" (whose UTF8 encoding is ' +
        'longer than the max length 32766), all of which were skipped. Please correct the analyzer to not produce ' +
        "such terms. The prefix of the first immense term is: '[" +
        `${Array<number>(30).fill(121).join(', ')}]...'`,
    ],
  ]);
  fieldTable({ type: 'sparse_vector' }, { isLogged: true }).indexes([
    [
      { a: 1e39, [long]: 1 },
      { f: ['a 65279'], _field_names: ['f'] },
    ],
    [{ [long]: 1 }, { _field_names: ['f'] }],
  ]);
  const largest = 255.5 * 2 ** 120;
  fieldTable({ type: 'rank_feature' }, { isLogged: true }).indexes([['1e39', { f: [largest] }]]);
});
