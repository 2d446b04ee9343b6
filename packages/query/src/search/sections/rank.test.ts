import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('reciprocal rank fusion with its constants, with 8.12’s errors', () => {
  sectionTable(
    'rank',
    [
      [{}, null],
      [{ rank: { rrf: {} } }, { rankConstant: 60, windowSize: 100 }],
      [{ rank: { rrf: { rank_constant: 1, window_size: '7' } } }, { rankConstant: 1, windowSize: 7 }],
    ],
    [
      [{ rank: {} }, 'parsing_exception: expected a rank name, but found token [START_OBJECT] for [rank]'],
      [{ rank: { other: {} } }, 'named_object_not_found_exception: unknown field [other]'],
      [
        { rank: { rrf: { rank_constant: 0 } } },
        'illegal_argument_exception: [rank_constant] must be greater than [0] for [rrf]',
      ],
      [
        { rank: { rrf: { rank_const: 1 } } },
        'x_content_parse_exception: [rrf] unknown field [rank_const] did you mean [rank_constant]?',
      ],
      [{ rank: { rrf: 1 } }, 'x_content_parse_exception: [rrf] Expected START_OBJECT but was: VALUE_NUMBER'],
    ],
  );
  assert.equal(searchOf({ rank: { rrf: {} } }).gathersMore, true);
});
