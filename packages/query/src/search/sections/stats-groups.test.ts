import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('groups are texts, and not the aggregation of that name', () =>
  sectionTable(
    'groups',
    [
      [{}, []],
      [{ stats: ['a', 'b'] }, ['a', 'b']],
      [{ aggs: { s: { stats: { field: 'stats' } } } }, []],
    ],
    [
      [{ stats: 'a' }, 'parsing_exception: Unknown key for a VALUE_STRING in [stats].'],
      [{ stats: ['a', 5] }, 'parsing_exception: Expected [VALUE_STRING] in [stats] but found [VALUE_NUMBER]'],
    ],
  ));
