import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('split splits texts', () =>
  processorTable('split', [
    [{ field: 'a', separator: ',' }, '{"a":"x,y,,"}', '{"a":["x","y"]}'],
    [{ field: 'a', separator: ',', preserve_trailing: true }, '{"a":"x,y,,"}', '{"a":["x","y","",""]}'],
    [{ field: 'a', separator: '\\s+' }, '{"a":"x  y"}', '{"a":["x","y"]}'],
    [
      { field: 'a', separator: ',' },
      '{"a":5}',
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
  ]));
