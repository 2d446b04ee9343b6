import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('truncate cuts terms to ten characters by default', () =>
  analyzes({ filter: ['truncate'] }, [['abcdefghijklm short', 'abcdefghij@0 short@1']]));

test('truncate cuts to the length that it is given', () =>
  analyzes({ filter: [{ type: 'truncate', length: 2 }] }, [['abc a', 'ab@0 a@1']]));

test('truncate needs a length', () =>
  refuses([
    [{ filter: [{ type: 'truncate', length: 0 }] }, 'illegal_argument_exception: length parameter must be provided'],
  ]));
