import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('sections that are not offered are refused by name instead of left out; empty ones ask for nothing', () => {
  for (const [name, key, given, empty] of [['ext', 'ext', { x: {} }, {}]] as const)
    sectionTable(
      name,
      [[{ [key]: empty, query: { match_all: {} } }, null]],
      [[{ [key]: given }, `illegal_argument_exception: [${key}] is not supported`]],
    );
});
