import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('one pass or several', () => {
  const pass = { window_size: 5, query: { rescore_query: { match_all: {} }, query_weight: 2 } };
  for (const rescore of [pass, [pass]])
    assert.deepEqual(
      searchOf({ rescore }).rescore.map((one) => [
        one.windowSize,
        ...(one.kind === 'query' ? [one.queryWeight, one.scoreMode] : []),
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
        'x_content_parse_exception: [query] failed to parse field [score_mode] <- ' +
          'illegal_argument_exception: illegal score_mode [median]',
      ],
      [
        { rescore: { query: { rescore_query: { match_all: {} }, score_mode: 5 } } },
        "x_content_parse_exception: [query] score_mode doesn't support values of type: VALUE_NUMBER",
      ],
      [
        { rescore: { query: { rescore_query: { match_all: {} }, query_weight: 'x' } } },
        'x_content_parse_exception: [query] failed to parse field [query_weight] <- ' +
          'number_format_exception: For input string: "x"',
      ],
      [
        { rescore: { query: { rescore_query: { match_all: {} }, x: 1 } } },
        'x_content_parse_exception: [query] unknown field [x]',
      ],
      [{ rescore: { query: {} } }, 'illegal_argument_exception: rescore_query cannot be null'],
      [{ rescore: { a: 1 } }, "parsing_exception: rescore doesn't support [a]"],
      [{ rescore: { a: {} } }, 'named_object_not_found_exception: unknown field [a]'],
      [{ rescore: { query: [] } }, 'parsing_exception: unexpected token [START_ARRAY] after [query]'],
      [{ rescore: { window_size: 5 } }, 'parsing_exception: missing rescore type'],
      [
        { rescore: { window_size: 'a', query: { rescore_query: { match_all: {} } } } },
        'number_format_exception: For input string: "a"',
      ],
      [
        { rescore: { window_size: -1, query: { rescore_query: { match_all: {} } } } },
        'illegal_argument_exception: [window_size] must be positive, found [-1]',
      ],
      [{ rescore: [null] }, 'parsing_exception: unexpected token [END_ARRAY] after [null]'],
      [{ rescore: ['x'] }, 'parsing_exception: unexpected token [END_ARRAY] after [null]'],
      [{ rescore: [1.5, { query: {} }] }, 'named_object_not_found_exception: unknown field [null]'],
      [{ rescore: [[{}]] }, 'named_object_not_found_exception: unknown field [null]'],
      [{ rescore: [1, []] }, 'parsing_exception: unexpected token [START_ARRAY] after [null]'],
      [{ rescore: {} }, 'parsing_exception: missing rescore type'],
    ],
  );
});
