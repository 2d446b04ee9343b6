import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('sort sorts lists', () =>
  processorTable('sort', [
    [{ field: 'a' }, '{"a":[3,1,2]}', '{"a":[1,2,3]}'],
    [{ field: 'a', order: 'desc' }, '{"a":["a","c","b"]}', '{"a":["c","b","a"]}'],
    [
      { field: 'a', order: 'zz' },
      '{"a":[]}',
      'parse_exception: [order] Sort direction [zz] not recognized. Valid values are: [asc, desc]',
    ],
    [
      { field: 'a' },
      '{"a":"x"}',
      'illegal_argument_exception: field [a] of type [java.lang.String] cannot be cast to [java.util.List]',
    ],
  ]));
