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
      [
        { highlight: { fields: Object.fromEntries(Array.from({ length: 1025 }, (_, i) => [`f${i}`, {}])) } },
        'illegal_argument_exception: Trying to highlight too many fields. Must be less than or equal to: [1024] but ' +
          'was [1025]',
      ],
      [
        { highlight: { fields: Array.from({ length: 257 }, (_, i) => ({ [`f${i}*`]: {} })) } },
        'illegal_argument_exception: Trying to highlight too many patterns of fields. Must be less than or equal to: ' +
          '[256] but was [257]',
      ],
      [{ highlight: true }, 'parsing_exception: Unknown key for a VALUE_BOOLEAN in [highlight].'],
    ],
  );
});
