import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('dot_expander makes objects of dotted names', () =>
  processorTable('dot_expander', [
    [{ field: 'a.b' }, '{"a.b":1}', '{"a":{"b":1}}'],
    [{ field: 'a.b' }, '{"a.b":1,"a":{"b":2}}', '{"a":{"b":[2,1]}}'],
    [
      { field: 'a.b' },
      '{"a.b":1,"a":5}',
      'illegal_argument_exception: cannot expend [a.b], because [a] is not an object field, but a value field',
    ],
    [{ field: '*' }, '{"a.b":1,"a.c":2}', '{"a":{"b":1,"c":2}}'],
    [{ field: '.a' }, '{"a":1}', "parse_exception: [field] Field can't start or end with a dot"],
    [{ field: 'a..b' }, '{"a":1}', 'parse_exception: [field] No space between dots'],
    [{ field: 'a' }, '{"a":1}', 'parse_exception: [field] field does not contain a dot and is not a wildcard'],
  ]));
