import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('bytes reads sizes', () =>
  processorTable('bytes', [
    [{ field: 'a' }, '{"a":"1kb"}', '{"a":1024}'],
    [
      { field: 'a' },
      '{"a":"zz"}',
      'parse_exception: failed to parse setting [Ingest Field] with value [zz] as a size in bytes: unit is ' +
        'missing or unrecognized',
    ],
    [
      { field: 'a' },
      '{"a":5}',
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    [{ field: 'a' }, '{"a":["1kb","2mb"]}', '{"a":[1024,2097152]}'],
  ]));
