import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('trim takes blanks away', () => processorTable('trim', [[{ field: 'a' }, '{"a":"  x "}', '{"a":"x"}']]));
