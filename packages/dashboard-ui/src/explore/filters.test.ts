import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Filter, filterName, filterQuery, negated, pinTurned, readFilter } from './filters.js';

const TABLE: readonly (readonly [filter: Filter, name: string, query: object])[] = [
  [{ field: 'level', op: 'is', value: 'error' }, 'level: error', { match_phrase: { level: 'error' } }],
  [
    { field: 'level', op: 'is_not', value: 'error' },
    'not level: error',
    { bool: { must_not: [{ match_phrase: { level: 'error' } }] } },
  ],
  [
    { field: 'n', op: 'in', value: ['9007199254740993', '2'] },
    'n: 9007199254740993 or 2',
    {
      bool: {
        should: [{ match_phrase: { n: '9007199254740993' } }, { match_phrase: { n: '2' } }],
        minimum_should_match: 1,
      },
    },
  ],
  [{ field: 'n', op: 'exists' }, 'n: has a value', { exists: { field: 'n' } }],
  [{ field: 'n', op: 'missing' }, 'n: has no value', { bool: { must_not: [{ exists: { field: 'n' } }] } }],
  [{ field: 'n', op: 'gte', value: '10' }, 'n: at least 10', { range: { n: { gte: '10' } } }],
  [{ field: 'n', op: 'lt', value: '10' }, 'n: less than 10', { range: { n: { lt: '10' } } }],
  [
    { field: 'n', op: 'exists', or: [{ field: 'm', op: 'is', value: '1' }], isPinned: true },
    'n: has a value or m: 1',
    { bool: { should: [{ exists: { field: 'n' } }, { match_phrase: { m: '1' } }], minimum_should_match: 1 } },
  ],
  [
    { field: 'n', op: 'exists', or: [{ field: 'm', op: 'is', value: '1' }], isNone: true },
    'none of n: has a value or m: 1',
    { bool: { must_not: [{ exists: { field: 'n' } }, { match_phrase: { m: '1' } }] } },
  ],
];

test('filters have a name and a query, and survive an address', () => {
  for (const [filter, name, query] of TABLE) {
    assert.equal(filterName(filter), name);
    assert.deepEqual(filterQuery(filter), query);
    assert.deepEqual(readFilter(JSON.parse(JSON.stringify(filter))), filter);
    assert.deepEqual(negated(negated(filter)), filter);
    assert.deepEqual(pinTurned(pinTurned(filter)), filter);
  }
});

test('parts of addresses that are no filters are none', () => {
  const bad = [null, 1, [], {}, { field: '' }, { field: 'a', op: 'eval', value: 'x' }, { field: 'a', op: 'is' }];
  for (const value of [
    ...bad,
    { field: 'a', value: {} },
    { field: 'a', value: ['x', 'y'] },
    { field: 'a', value: 1, or: [{}] },
  ])
    assert.equal(readFilter(value), null, JSON.stringify(value));
  assert.deepEqual(readFilter({ field: 'a', value: 1 }), { field: 'a', op: 'is', value: '1' });
});
