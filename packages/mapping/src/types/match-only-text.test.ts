import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const text = fieldTable({ type: 'match_only_text' });

test('match_only_text keeps no norms', () =>
  text.keeps({ terms: { freqs: true, positions: true, norms: false }, column: null, points: false }));

test('match_only_text indexes words', () =>
  text.indexes([
    ['Quick Fox', { f: ['quick', 'fox'], _field_names: ['f'] }],
    [['a', 'b'], { f: ['a', 'b'], _field_names: ['f'] }],
    [null, {}],
  ]));

test('match_only_text refuses objects', () =>
  text.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));
