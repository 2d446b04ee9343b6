import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('uppercase writes capitals', () =>
  processorTable('uppercase', [[{ field: 'a', target_field: 'b' }, '{"a":"x"}', '{"a":"x","b":"X"}']]));
