import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('join joins lists', () =>
  processorTable('join', [
    [{ field: 'a', separator: '-' }, '{"a":["x",1,2,true]}', '{"a":"x-1-2-true"}'],
    [
      { field: 'a', separator: '-' },
      '{"a":"x"}',
      'illegal_argument_exception: field [a] of type [java.lang.String] cannot be cast to [java.util.List]',
    ],
  ]));
