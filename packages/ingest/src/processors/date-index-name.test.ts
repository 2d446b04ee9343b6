import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('date_index_name names an index by date math', () =>
  processorTable('date_index_name', [
    [
      { field: 'a', date_rounding: 'M', index_name_prefix: 'p-' },
      '{"a":"2016-04-25T12:02:01.789Z"}',
      '{"a":"2016-04-25T12:02:01.789Z","_index":"<p-{2016-04-25||/M{yyyy-MM-dd|UTC}}>"}',
    ],
  ]));
