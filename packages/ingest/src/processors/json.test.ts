import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('json parses JSON', () =>
  processorTable('json', [
    [{ field: 'a' }, '{"a":"{\\"x\\":[1,2.0]}"}', '{"a":{"x":[1,2.0]}}'],
    [{ field: 'a', add_to_root: true }, '{"a":"{\\"x\\":1}"}', '{"a":"{\\"x\\":1}","x":1}'],
    [
      { field: 'a', add_to_root: true },
      '{"a":"3"}',
      'illegal_argument_exception: cannot add non-map fields to root of document',
    ],
    [
      { field: 'a', allow_duplicate_keys: true },
      '{"a":"{\\"x\\":1,\\"y\\":{\\"z\\":1,\\"z\\":12345678901234567,\\"z\\":2.0},\\"x\\":3}"}',
      '{"a":{"x":3,"y":{"z":2.0}}}',
    ],
    [
      { field: 'a' },
      '{"a":"{\\"x\\":1,\\"x\\":3}"}',
      'illegal_argument_exception: Unable to parse [{"x":1,"x":3}] as JSON',
    ],
    [
      { field: 'a', allow_duplicate_keys: true },
      '{"a":"1,\\"v\\":2"}',
      'illegal_argument_exception: Unable to parse [1,"v":2] as JSON',
    ],
    [{ field: 'a', target_field: 'b' }, '{"a":"\\"t\\""}', '{"a":"\\"t\\"","b":"t"}'],
    [
      { field: 'a' },
      JSON.stringify({ a: `1,"w":"${'y'.repeat(1 << 20)}"` }),
      `illegal_argument_exception: Unable to parse [1,"w":"${'y'.repeat(93)}] as JSON`,
    ],
    [{ field: 'a' }, '{"a":"{bad"}', 'illegal_argument_exception: Unable to parse [{bad] as JSON'],
    [
      { field: 'a', target_field: 'b', add_to_root: true },
      '{"a":"1"}',
      'parse_exception: [target_field] Cannot set a target field while also setting `add_to_root` to true',
    ],
    [{ field: 'a', target_field: 'a.0.b' }, '{"a":[{}]}', '{"a":[{"b":[{}]}]}'],
    [{ field: 'a', target_field: 'b' }, '{"a":""}', '{"a":"","b":null}'],
  ]));
