import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('lowercase writes small letters', () =>
  processorTable('lowercase', [
    [{ field: 'a' }, '{"a":"ABC"}', '{"a":"abc"}'],
    [{ field: 'a' }, '{"a":["A","B"]}', '{"a":["a","b"]}'],
    [
      { field: 'a' },
      '{"a":5}',
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    [{ field: 'b' }, '{"a":5}', 'illegal_argument_exception: field [b] not present as part of path [b]'],
    [{ field: 'a' }, '{"a":null}', 'illegal_argument_exception: field [a] is null, cannot process it.'],
    [
      { field: 'a' },
      '{"a":[1]}',
      'illegal_argument_exception: value [1] of type [java.lang.Integer] in list field [a] cannot be cast t' +
        'o [java.lang.String]',
    ],
  ]));
