import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('append adds values to lists', () =>
  processorTable('append', [
    [{ field: 'a', value: ['x', 'y'] }, '{"a":"z"}', '{"a":["z","x","y"]}'],
    [{ field: 'a', value: 'x', allow_duplicates: false }, '{"a":["x"]}', '{"a":["x"]}'],
  ]));
