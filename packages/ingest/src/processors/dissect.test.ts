import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('dissect cuts texts at delimiters', () =>
  processorTable('dissect', [
    [
      { field: 'a', pattern: '%{x} [%{y}] %{z}' },
      '{"a":"1 [2 3] 4 5"}',
      '{"a":"1 [2 3] 4 5","x":"1","y":"2 3","z":"4 5"}',
    ],
    [
      { field: 'a', pattern: '%{x} %{y}' },
      '{"a":"one"}',
      'find_match: Unable to find match for dissect pattern: %{x} %{y} against source: one',
    ],
    [
      { field: 'a', pattern: '%{+n/2} %{+n/1} %{?skip} %{*k}=%{&k}', append_separator: ',' },
      '{"a":"b a zz key=val"}',
      '{"a":"b a zz key=val","n":"a,b","key":"val"}',
    ],
    [{ field: 'a', pattern: '%{x->} %{y}' }, '{"a":"1    2"}', '{"a":"1    2","x":"1","y":"2"}'],
    [
      { field: 'a', pattern: 'abc' },
      '{"a":"1"}',
      'parse_exception: [pattern] Unable to parse pattern: abc Reason: Unable to find any keys or delimiters.',
    ],
    [
      { field: 'a', pattern: '%{*k}' },
      '{"a":"1"}',
      'parse_exception: [pattern] Unable to parse pattern: %{*k} Reason: Found invalid key/reference associations: ' +
        "'k' Please ensure each '*<key>' is matched with a matching '&<key>",
    ],
    [{ field: 'a', pattern: '%{+a} %{+a} %{+a}', append_separator: '-' }, '{"a":"x y z"}', '{"a":"x-y-z"}'],
    [{ field: 'a', pattern: '%{x},%{y},%{z}' }, '{"a":"1,,3"}', '{"a":"1,,3","x":"1","y":"","z":"3"}'],
  ]));
