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
    [
      { field: 'a' },
      '{"a":[1,"a"]}',
      'class_cast_exception: class java.lang.Integer cannot be cast to class java.lang.String ' +
        "(java.lang.Integer and java.lang.String are in module java.base of loader 'bootstrap')",
    ],
    [
      { field: 'a', order: 'desc' },
      '{"a":[1.5,1]}',
      'class_cast_exception: class java.lang.Integer cannot be cast to class java.lang.Double ' +
        "(java.lang.Integer and java.lang.Double are in module java.base of loader 'bootstrap')",
    ],
    [
      { field: 'a', order: 'desc' },
      '{"a":[1,null]}',
      'null_pointer_exception: Cannot read field "value" because "anotherInteger" is null',
    ],
  ]));
