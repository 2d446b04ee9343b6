import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('values of the last hit are left for shards to read', () =>
  sectionTable(
    'searchAfter',
    [
      [{}, null],
      [{ search_after: [1, 'a', null] }, [1, 'a', null]],
    ],
    [[{ search_after: 1 }, 'parsing_exception: Unknown key for a VALUE_NUMBER in [search_after].']],
  ));
