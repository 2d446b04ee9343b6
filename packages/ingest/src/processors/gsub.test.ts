import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('gsub replaces what a pattern matches', () =>
  processorTable('gsub', [
    [{ field: 'a', pattern: '\\.', replacement: '-' }, '{"a":"1.2.3"}', '{"a":"1-2-3"}'],
    [{ field: 'a', pattern: '(\\w)b', replacement: '$1X' }, '{"a":"abcb"}', '{"a":"aXcX"}'],
    [{ field: 'a', pattern: '[aeiou]', replacement: '<$0>' }, '{"a":"ebc"}', '{"a":"<e>bc"}'],
    [{ field: 'a', pattern: '(?<x>b)(c)?', replacement: '${x}-$2\\$' }, '{"a":"abcb"}', '{"a":"ab-c$b-$"}'],
    [{ field: 'a', pattern: 'b', replacement: '$1' }, '{"a":"b"}', 'index_out_of_bounds_exception: No group 1'],
    [
      { field: 'a', pattern: 'b', replacement: '$x' },
      '{"a":"b"}',
      'illegal_argument_exception: Illegal group reference',
    ],
    [{ field: 'a', pattern: '', replacement: '-' }, '{"a":"ab"}', '{"a":"-a-b-"}'],
    [
      { field: 'a', pattern: '[', replacement: '' },
      '{"a":"abcb"}',
      'parse_exception: [pattern] Invalid regex pattern. Unclosed character class',
    ],
  ]));
