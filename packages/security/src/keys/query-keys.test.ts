import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysQuery } from './query-keys.js';

test('a query of keys names the fields of the API and finds keys only', () => {
  const { query, sort } = keysQuery(
    { query: { bool: { must: { term: { username: 'bob' } } } }, sort: [{ creation: 'desc' }, 'name'] },
    [{ ids: { values: ['a'] } }],
  ) as { query: unknown; sort: unknown };
  assert.deepEqual(query, {
    bool: {
      filter: [
        { term: { doc_type: { value: 'api_key' } } },
        { ids: { values: ['a'] } },
        { bool: { must: [{ term: { 'creator.principal': 'bob' } }] } },
      ],
    },
  });
  assert.deepEqual(sort, [{ creation_time: 'desc' }, 'name']);
  assert.throws(
    () => keysQuery({ query: { term: { api_key_hash: 'x' } } }, []),
    /Field \[api_key_hash\] is not allowed/,
  );
});

test('a query of keys takes no values of other documents, which the caller may not read', () => {
  const lookup = { index: 'payroll', id: '1', path: 'salary' };
  for (const query of [{ terms: { name: lookup } }, { bool: { should: [{ terms: { boost: 2, name: lookup } }] } }])
    assert.throws(() => keysQuery({ query }, []), /terms lookup is not supported/);
  assert.throws(
    () => keysQuery({ sort: [{ name: { nested: { path: 'creator', filter: { terms: { name: lookup } } } } }] }, []),
    /nested sorting is not supported/,
  );
});
