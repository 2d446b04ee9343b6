import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeSearch, queryOf, queryTemplate } from './search-query.js';

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

const OPTIONS = { text: 'a "fox"', fields: 'title', fuzziness: '0', operator: 'or', filter: '', own: null };
const queryIn = (search: ReturnType<typeof madeSearch>): unknown => 'query' in search && JSON.parse(search.query);

test('a query of one’s own begins as that of the fields, with a place for the text', () => {
  const own = queryTemplate(OPTIONS);
  assert.match(own, /"query": "\{\{text\}\}"/);
  assert.deepEqual(queryIn(madeSearch({ ...OPTIONS, own }, 'UTC')), queryOf(OPTIONS));
});

test('a query of one’s own keeps its numbers, and one that is no object is told', () => {
  const exact = madeSearch({ ...OPTIONS, own: '{"term":{"n":9007199254740993}}' }, 'UTC');
  assert.ok('body' in exact && exact.body.includes('9007199254740993'));
  assert.deepEqual(queryIn(madeSearch({ ...OPTIONS, text: '$& $1', own: '{"match":{"t":"{{text}}"}}' }, 'UTC')), {
    match: { t: '$& $1' },
  });
  for (const own of ['{', '[]', '1', 'null'])
    assert.deepEqual(madeSearch({ ...OPTIONS, own }, 'UTC'), { problem: 'The query is no JSON object.' });
});

test('a filter is around either query, and a wrong one is told at its place', () => {
  const { bool } = queryIn(madeSearch({ ...OPTIONS, filter: 'level: error' }, 'UTC')) as { bool: { must: unknown[] } };
  assert.deepEqual(bool, { must: [queryOf(OPTIONS)], filter: [{ match: { level: 'error' } }] });
  const wrong = madeSearch({ ...OPTIONS, filter: 'level: (' }, 'UTC');
  assert.match('problem' in wrong ? wrong.problem : '', /^Filter: Expected .* at position/);
});
