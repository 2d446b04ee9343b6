import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('a script changes fields and metadata', () =>
  processorTable('script', [
    [{ source: 'a = {"b":[1]}' }, '{}', '{"a":{"b":[1]}}'],
    [{ source: '_id = "7"' }, '{"a":1}', '{"a":1,"_id":"7"}'],
    [{ source: '_version = null' }, '{}', 'illegal_argument_exception: _version cannot be null'],
  ]));
