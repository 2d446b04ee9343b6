import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('csv splits lines of CSV', () =>
  processorTable('csv', [
    [{ field: 'a', target_fields: ['b'], empty_value: 'E' }, '{"a":""}', '{"a":""}'],
    [
      { field: 'a', target_fields: ['x', 'y', 'z'] },
      '{"a":"1,\\"b \\"\\"c\\"\\"\\",3"}',
      '{"a":"1,\\"b \\"\\"c\\"\\"\\",3","x":"1","y":"b \\"c\\"","z":"3"}',
    ],
    [{ field: 'a', target_fields: ['x', 'y', 'z'], trim: true }, '{"a":" 1 , 2 "}', '{"a":" 1 , 2 ","x":"1","y":"2 "}'],
    [
      { field: 'a', target_fields: ['x', 'y', 'z'], empty_value: 'E' },
      '{"a":"1,,3"}',
      '{"a":"1,,3","x":"1","y":"E","z":"3"}',
    ],
    [{ field: 'a', target_fields: ['x', 'y'] }, '{"a":"1,\\"2"}', 'illegal_argument_exception: Unmatched quote'],
    [
      { field: 'a', target_fields: ['x'], separator: 'ab' },
      '{"a":"1"}',
      'parse_exception: [separator] separator has to be single character like , or ;',
    ],
    [
      { field: 'a', target_fields: ['x'], quote: '""' },
      '{"a":"1"}',
      `parse_exception: [quote] quote has to be single character like " or '`,
    ],
    [
      { field: 'a', target_fields: ['x', 'y'] },
      '{"a":"1,a\\"b"}',
      'illegal_argument_exception: Illegal character inside unquoted field at 3',
    ],
    // What Elasticsearch 8.12 does with blanks around quotes, blank columns and ends of lines.
    ...(
      [
        [' "a" ,b', '"x":"a","y":"b"'],
        [', ,', '"x":"E","y":"E"'],
        ['a, ', '"x":"a"'],
        ['  a ,b', '"x":"  a ","y":"b"'],
        ['"a" ', '"x":"a"'],
      ] as const
    ).map(([line, fields]): [Record<string, unknown>, string, string] => {
      const given = `"a":${JSON.stringify(line)}`;
      return [{ field: 'a', target_fields: ['x', 'y', 'z'], empty_value: 'E' }, `{${given}}`, `{${given},${fields}}`];
    }),
    [
      { field: 'a', target_fields: ['x', 'y'] },
      '{"a":"a,b\\n"}',
      'illegal_argument_exception: Illegal character inside unquoted field at 3',
    ],
    [
      { field: 'a', target_fields: ['x', 'y'] },
      '{"a":"\\"a\\"  x"}',
      "illegal_argument_exception: character 'x' after quoted field at 5",
    ],
  ]));
