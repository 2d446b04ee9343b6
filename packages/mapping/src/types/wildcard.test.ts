import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const wild = fieldTable({ type: 'wildcard' });

test('wildcard keeps terms like keyword', () =>
  wild.keeps({ terms: { freqs: false, positions: false, norms: false }, column: 'ordinals', points: false }));

test('wildcard indexes values whole', () =>
  wild.indexes([
    ['A long Line', { f: ['A long Line'] }],
    [null, {}],
  ]));

test('wildcard refuses objects', () =>
  wild.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));
