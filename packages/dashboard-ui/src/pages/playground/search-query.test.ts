import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './search-query.js';

test('a text becomes a query on the fields with their weights', () => {
  const options = { text: 'fox', fields: ' title^2, ,body', fuzziness: 'AUTO', operator: 'and' };
  assert.deepEqual(queryOf(options), {
    multi_match: { query: 'fox', fields: ['title^2', 'body'], fuzziness: 'AUTO', operator: 'and', lenient: true },
  });
  assert.deepEqual(queryOf({ text: 'fox', fields: '', fuzziness: '0', operator: 'or' }), {
    multi_match: { query: 'fox', lenient: true },
  });
  assert.deepEqual(queryOf({ ...options, text: ' ' }), { match_all: {} });
});
