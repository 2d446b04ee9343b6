import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('set puts a value at a path and makes the objects on the way', () =>
  processorTable('set', [
    [{ field: 'a', value: 1 }, '{}', '{"a":1}'],
    [{ field: 'a.b.c', value: [1, { x: null }] }, '{}', '{"a":{"b":{"c":[1,{"x":null}]}}}'],
    [{ field: '_source.a.', value: 1 }, '{"a":3}', '{"a":1}'],
    [{ field: 'a.1', value: 'x' }, '{"a":[0,1]}', '{"a":[0,"x"]}'],
    [{ field: '__proto__.x', value: 1 }, '{}', '{"__proto__":{"x":1}}'],
    [{ field: '_index', value: 'other' }, '{}', '{"_index":"other"}'],
  ]));

test('set inserts fields in Java’s text, escaped as JSON unless told otherwise', () =>
  processorTable('set', [
    [{ field: 't', value: '{{a}}|{{{a}}}|{{&a}}' }, '{"a":"\\"é"}', '{"a":"\\"é","t":"\\\\\\"é|\\"é|\\"é"}'],
    [{ field: 't', value: '{{a}}', media_type: 'text/plain' }, '{"a":"x\\""}', '{"a":"x\\"","t":"x\\""}'],
    [
      { field: 't', value: '{{a}} {{b.0}} {{b}} {{no.x}}' },
      '{"a":3.0,"b":[1,"c",null]}',
      '{"a":3.0,"b":[1,"c",null],"t":"3.0 1 {0=1, 1=c, 2=null} "}',
    ],
    [
      { field: 't', value: ['{{a}}', { 'x{{a}}': 'y{{a}}' }] },
      '{"a":1e20}',
      '{"a":1.0E20,"t":["1.0E20",{"x1.0E20":"y1.0E20"}]}',
    ],
    [
      { field: 't', value: '{{c}}' },
      '{"c":{"z":1,"y":"q","b":[{"x":null}]}}',
      '{"c":{"z":1,"y":"q","b":[{"x":null}]},"t":"{b=[{x=null}], y=q, z=1}"}',
    ],
    [
      { field: 't', value: '{{_index}} {{_ingest.timestamp}} {{_source.a}}' },
      '{"a":1}',
      '{"a":1,"t":"logs 2026-11-23T12:00:00.000000001Z 1"}',
    ],
    [{ field: '{{f}}', value: 1 }, '{"f":"g.h"}', '{"f":"g.h","g":{"h":1}}'],
    [{ field: 't', value: '{{constructor}}{{__proto__.x}}' }, '{}', '{"t":""}'],
  ]));

test('set keeps what is there without override, and ignores empty values if told', () =>
  processorTable('set', [
    [{ field: 'a', value: 1, override: false }, '{"a":0}', '{"a":0}'],
    [{ field: 'a', value: 1, override: false }, '{"a":null}', '{"a":1}'],
    [{ field: 'a', value: '{{no}}', ignore_empty_value: true }, '{}', '{}'],
    [{ field: 'a', copy_from: 'b' }, '{"b":{"c":[1]}}', '{"b":{"c":[1]},"a":{"c":[1]}}'],
    [{ field: 'a', copy_from: 'no', ignore_empty_value: true }, '{}', '{}'],
    [{ field: 'a', copy_from: 'no' }, '{}', 'illegal_argument_exception: field [no] not present as part of path [no]'],
  ]));

test('set fails for paths that lead nowhere', () =>
  processorTable('set', [
    [{ field: '', value: 1 }, '{}', 'illegal_argument_exception: path cannot be null nor empty'],
    [{ field: '_source.', value: 1 }, '{}', 'illegal_argument_exception: path [_source.] is not valid'],
    [
      { field: 'a.b.c', value: 1 },
      '{"a":null}',
      'illegal_argument_exception: cannot resolve [b] from null as part of path [a.b.c]',
    ],
    [
      { field: 'a.b.c', value: 1 },
      '{"a":{"b":null}}',
      'illegal_argument_exception: cannot set [c] with null parent as part of path [a.b.c]',
    ],
    [
      { field: 'a.b', value: 1 },
      '{"a":"x"}',
      'illegal_argument_exception: cannot set [b] with parent object of type [java.lang.String] as part of path [a.b]',
    ],
    [
      { field: 'a.b.c', value: 1 },
      '{"a":7.5}',
      'illegal_argument_exception: cannot resolve [b] from object of type [java.lang.Double] as part of path [a.b.c]',
    ],
    [
      { field: 'a.x', value: 1 },
      '{"a":[]}',
      'illegal_argument_exception: [x] is not an integer, cannot be used as an index as part of path [a.x]' +
        ' <- number_format_exception: For input string: "x"',
    ],
    [
      { field: 'a.9', value: 1 },
      '{"a":[1,2]}',
      'illegal_argument_exception: [9] is out of bounds for array with length [2] as part of path [a.9]',
    ],
    [
      { field: '_version', value: 'x' },
      '{}',
      'illegal_argument_exception: _version [x] is wrong type, expected assignable to ' +
        '[java.lang.Number], not [java.lang.String]',
    ],
  ]));

test('set refuses options that it does not have', () =>
  processorTable('set', [
    [{ field: 1 }, '{}', "parse_exception: [field] property isn't a string, but of type [java.lang.Integer]"],
    [{ field: 'a' }, '{}', 'parse_exception: [value] required property is missing'],
    [
      { field: 'a', value: 1, foo: 1 },
      '{}',
      "parse_exception: processor [set] doesn't support one or more provided configuration parameters [foo]",
    ],
    [
      { field: 'a', value: 1, override: 'yes' },
      '{}',
      "parse_exception: [override] property isn't a boolean, but of type [java.lang.String]",
    ],
    [
      { field: 'a', value: 1, copy_from: 'b' },
      '{}',
      'parse_exception: [copy_from] cannot set both `copy_from` and `value` in the same processor',
    ],
    [
      { field: 'a', value: 1, media_type: 'zz' },
      '{}',
      'parse_exception: [media_type] property does not contain a supported media type [zz]',
    ],
  ]));
