import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('fields to highlight are parsed, and make hits costly to show', () => {
  const search = searchOf({ highlight: { fields: { t: {}, 'u.*': {} } } });
  assert.deepEqual(
    search.highlight?.map(({ pattern }) => pattern),
    ['t', 'u.*'],
  );
  assert.equal(search.isCostlyToShow, true);
  sectionTable(
    'highlight',
    [[{}, null]],
    [
      [{ highlight: { colour: 'red' } }, 'x_content_parse_exception: [highlight] unknown field [colour]'],
      [{ highlight: true }, 'parsing_exception: Unknown key for a VALUE_BOOLEAN in [highlight].'],
    ],
  );
});
