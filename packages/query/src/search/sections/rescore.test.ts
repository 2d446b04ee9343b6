import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('one pass or several', () => {
  const pass = { window_size: 5, query: { rescore_query: { match_all: {} }, query_weight: 2 } };
  for (const rescore of [pass, [pass]])
    assert.deepEqual(
      searchOf({ rescore }).rescore.map(({ windowSize, queryWeight, scoreMode }) => [
        windowSize,
        queryWeight,
        scoreMode,
      ]),
      [[5, 2, 'total']],
    );
  assert.equal(searchOf({ rescore: pass }).gathersMore, true);
  sectionTable(
    'rescore',
    [[{}, []]],
    [
      [
        { rescore: { query: { rescore_query: { match_all: {} }, score_mode: 'median' } } },
        'illegal_argument_exception: illegal score_mode [median]',
      ],
      [{ rescore: [null] }, 'parsing_exception: unexpected token [END_ARRAY] after [null]'],
      [{ rescore: ['x'] }, 'parsing_exception: unexpected token [END_ARRAY] after [null]'],
      [{ rescore: {} }, 'parsing_exception: missing rescore type'],
    ],
  );
});
