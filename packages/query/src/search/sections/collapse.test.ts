import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('groups have a field, and inner hits by name, of which the last counts', () =>
  sectionTable(
    'collapse',
    [
      [{}, null],
      [{ collapse: { field: 'k' } }, { field: 'k', innerHits: [] }],
      [{ collapse: { field: 'k', inner_hits: { name: 'a' } } }, { field: 'k', innerHits: [{ name: 'a' }] }],
      [
        { collapse: { field: 'k', inner_hits: [{ name: 'a', size: 1 }, { name: 'b' }, { name: 'a', size: 2 }] } },
        { field: 'k', innerHits: [{ name: 'a', size: 2 }, { name: 'b' }] },
      ],
    ],
    [
      [{ collapse: {} }, 'illegal_argument_exception: Required [field]'],
      [{ collapse: { foo: 'k' } }, 'x_content_parse_exception: [collapse] unknown field [foo]'],
      [
        { collapse: { field: ['k'] } },
        "x_content_parse_exception: [collapse] field doesn't support values of type: START_ARRAY",
      ],
      [
        { collapse: { field: 'k', max_concurrent_group_searches: 0 } },
        'x_content_parse_exception: [collapse] failed to parse field [max_concurrent_group_searches] <- ' +
          'illegal_argument_exception: maxConcurrentGroupRequests` must be positive',
      ],
      [
        { collapse: { field: 'k', inner_hits: 'a' } },
        "x_content_parse_exception: [collapse] inner_hits doesn't support values of type: VALUE_STRING",
      ],
      [
        { collapse: { field: 'k', inner_hits: ['a'] } },
        'x_content_parse_exception: [collapse] failed to parse field [inner_hits] <- ' +
          'parsing_exception: Invalid token in inner_hits array',
      ],
      [
        { collapse: { field: 'k', inner_hits: {} } },
        'illegal_argument_exception: [collapse] inner hits need a [name]: their hits are told under it',
      ],
      [
        { collapse: { field: 'k', inner_hits: { name: 1 } } },
        'x_content_parse_exception: [collapse] failed to parse field [inner_hits] <- ' +
          "x_content_parse_exception: [inner_hits] name doesn't support values of type: VALUE_NUMBER",
      ],
      [
        { collapse: { field: 'k', inner_hits: { name: 'a', collapse: { field: 'g', inner_hits: {} } } } },
        'x_content_parse_exception: [collapse] failed to parse field [inner_hits] <- ' +
          'x_content_parse_exception: [inner_hits] failed to parse field [collapse] <- ' +
          'parsing_exception: Invalid token in the inner collapse',
      ],
    ],
  ));

test('hits show the value of their group', () => {
  const { fetch } = searchOf({ collapse: { field: 'k' }, docvalue_fields: ['n'] });
  assert.deepEqual(
    fetch.docvalueFields.map(({ field }) => field),
    ['n', 'k'],
  );
});
