import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('convert converts types', () =>
  processorTable('convert', [
    [{ field: 'a', type: 'integer' }, '{"a":"12"}', '{"a":12}'],
    [{ field: 'a', type: 'integer' }, '{"a":"0x1F"}', '{"a":31}'],
    [
      { field: 'a', type: 'integer' },
      '{"a":"12x"}',
      'illegal_argument_exception: unable to convert [12x] to integer <- number_format_exception: For input' +
        ' string: "12x"',
    ],
    [{ field: 'a', type: 'long' }, '{"a":"9007199254740993"}', '{"a":9007199254740993}'],
    [{ field: 'a', type: 'float' }, '{"a":"1.1"}', '{"a":1.1}'],
    [{ field: 'a', type: 'double' }, '{"a":"3"}', '{"a":3.0}'],
    [{ field: 'a', type: 'double' }, '{"a":"NaN"}', '{"a":"NaN"}'],
    [{ field: 'a', type: 'float' }, '{"a":"-Infinity"}', '{"a":"-Infinity"}'],
    [{ field: 'a', type: 'boolean' }, '{"a":"TRUE"}', '{"a":true}'],
    [
      { field: 'a', type: 'boolean' },
      '{"a":"yes"}',
      'illegal_argument_exception: [yes] is not a boolean value, cannot convert to boolean',
    ],
    [
      { field: 'a', type: 'ip' },
      '{"a":"1.2.3"}',
      'illegal_argument_exception: [1.2.3] is not a valid ipv4/ipv6 address',
    ],
    [{ field: 'a', type: 'ip' }, '{"a":"1.2.3.4"}', '{"a":"1.2.3.4"}'],
    [{ field: 'a', type: 'string' }, '{"a":1.5}', '{"a":"1.5"}'],
    [{ field: 'a', type: 'auto' }, '{"a":"12345678901234567890"}', '{"a":1.2345679E19}'],
    [{ field: 'a', type: 'auto', target_field: 'a.b' }, '{"a":{"c":1}}', '{"a":{"c":1,"b":{"c":1}}}'],
    [{ field: 'a', type: 'auto', target_field: 'a.0.b' }, '{"a":[{}]}', '{"a":[{"b":[{}]}]}'],
    [{ field: 'a', type: 'auto' }, '{"a":["1","x","2.5","true"]}', '{"a":[1,"x",2.5,true]}'],
    [{ field: 'a', type: 'zz' }, '{"a":1}', 'parse_exception: [type] type [zz] not supported, cannot convert field.'],
    [
      { field: 'b', type: 'integer' },
      '{"a":1}',
      'illegal_argument_exception: field [b] not present as part of path [b]',
    ],
    [
      { field: 'a', type: 'integer' },
      '{"a":null}',
      'illegal_argument_exception: Field [a] is null, cannot be converted to type [integer]',
    ],
    [
      { field: 'a', type: 'integer' },
      '{"a":5000000000}',
      'illegal_argument_exception: unable to convert [5000000000] to integer <- number_format_exception: Fo' +
        'r input string: "5000000000"',
    ],
  ]));
