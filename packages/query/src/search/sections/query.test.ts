import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('a query is parsed, and none matches all documents', () => {
  assert.equal(searchOf({ query: { term: { k: 'a' } } }).query?.type, 'term');
  assert.equal(searchOf({ post_filter: { ids: { values: [] } } }).postFilter?.type, 'ids');
  sectionTable(
    'query',
    [[{}, null]],
    [
      [{ query: [] }, 'parsing_exception: Unknown key for a START_ARRAY in [query].'],
      [
        { query: { no_such: {} } },
        'parsing_exception: unknown query [no_such] <- named_object_not_found_exception: unknown field [no_such]',
      ],
      [{ post_filter: {} }, 'illegal_argument_exception: query malformed, empty clause found'],
    ],
  );
});

test('inner hits make hits costly to show', () => {
  const nested = { path: 'p', query: { match_all: {} } };
  assert.equal(searchOf({ query: { nested } }).isCostlyToShow, false);
  assert.equal(
    searchOf({ query: { bool: { must: [{ nested: { ...nested, inner_hits: {} } }] } } }).isCostlyToShow,
    true,
  );
});
