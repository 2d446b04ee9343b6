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
      'illegal_argument_exception: featureValue must be a positive normal float, got: 0 for feature f on ' +
        'field _feature which is less than the minimum positive normal float: 1.17549435E-38',
    ],
    [
      -1,
      'illegal_argument_exception: featureValue must be a positive normal float, got: -1 for feature f on ' +
        'field _feature which is less than the minimum positive normal float: 1.17549435E-38',
    ],
    ['x', 'number_format_exception: For input string: "x"'],
  ]));

test('rank_feature has no ranges', () =>
  rank.ranges([
    [{ gte: 1 }, 'illegal_argument_exception: Field [f] of type [rank_feature] does not support range queries'],
  ]));

test('rank_features indexes a number for each key', () =>
  ranks.indexes([
    [
      { a: 1, b: '2.5' },
      { 'f.a': [1], 'f.b': [2.5] },
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
      'illegal_argument_exception: featureValue must be a positive normal float, got: -1 for feature a on ' +
        'field _feature which is less than the minimum positive normal float: 1.17549435E-38',
    ],
    [{ a: [1, 2] }, 'number_format_exception: For input string: "[1, 2]"'],
  ]));

test('sparse_vector indexes a weight for each term', () =>
  sparse.indexes([
    [
      { a: 1, b: 0.5 },
      { 'f.a': [1], 'f.b': [0.5], _field_names: ['f'] },
    ],
  ]));

test('sparse_vector refuses other values', () =>
  sparse.refuses([
    [
      5,
      'illegal_argument_exception: [sparse_vector] fields must be json objects, expected a START_OBJECT ' +
        'but got: VALUE_NUMBER',
    ],
    [{ a: 'x' }, 'number_format_exception: For input string: "x"'],
  ]));
