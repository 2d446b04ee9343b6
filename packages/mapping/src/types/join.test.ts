import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const family = fieldTable({ type: 'join', relations: { question: ['answer', 'comment'] } });

test('join indexes the name of a parent', () =>
  family.indexes([
    ['question', { f: ['question'], 'f#question': ['1'] }],
    [{ name: 'question' }, { f: ['question'], 'f#question': ['1'] }],
  ]));

test('join refuses unknown names', () =>
  family.refuses([
    ['reply', 'illegal_argument_exception: unknown join name [reply] for field [f]'],
    [{ parent: '1' }, 'illegal_argument_exception: unknown join name [] for field [f]'],
    [5, 'illegal_argument_exception: unknown join name [5] for field [f]'],
  ]));
