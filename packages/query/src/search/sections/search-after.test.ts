import { test } from 'node:test';
import { sectionTable } from '../../testing/section-table.js';

test('values of the last hit are left for shards to read', () =>
  sectionTable(
    'searchAfter',
    [
      [{}, null],
      [{ search_after: [1, 'a', null] }, [1, 'a', null]],
    ],
    [
      [{ search_after: 1 }, 'parsing_exception: Unknown key for a VALUE_NUMBER in [search_after].'],
      [{ search_after: [] }, 'illegal_argument_exception: Values must contains at least one value.'],
      [
        { search_after: [1, {}] },
        'parsing_exception: Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
          '[START_OBJECT] inside search_after.',
      ],
    ],
  ));
