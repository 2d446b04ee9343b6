import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

const fields = (sort: readonly { kind: string }[]): string[] =>
  sort.map((spec) => (spec.kind === 'field' ? (spec as unknown as { field: string }).field : spec.kind));

test('a sort is a field, an object of fields, or an array of those', () => {
  for (const sort of ['n', ['n'], { n: 'asc' }, { n: { order: 'asc' } }])
    assert.deepEqual(fields(searchOf({ sort }).sort), ['n']);
  sectionTable(
    'sort',
    [[{}, []]],
    [
      [
        { sort: [3] },
        'illegal_argument_exception: malformed sort format, within the sort array, an object, or an actual string ' +
          'are allowed',
      ],
    ],
  );
});

test('hits by score have no sort values, so that no page can begin after some', () => {
  for (const sort of [undefined, '_score', [{ _score: 'desc' }]]) {
    const search = searchOf(sort === undefined ? {} : { sort });
    assert.deepEqual([search.hitSort, search.orders], [[], null]);
  }
  const after = searchOf({ sort: '_score', search_after: [1] });
  assert.deepEqual([after.hitSort, after.orders], [[], null]);
  const sorted = searchOf({ sort: ['n', '_score'] });
  assert.deepEqual(
    [fields(sorted.hitSort), fields(sorted.orders!)],
    [
      ['n', 'score'],
      ['n', 'score'],
    ],
  );
});

test('over a point in time a tie breaker is added to a sort that has none', () => {
  const pit = { id: 'x' };
  assert.deepEqual(fields(searchOf({ sort: 'n', pit }).hitSort), ['n', 'doc']);
  assert.deepEqual(fields(searchOf({ sort: ['n', '_shard_doc'], pit }).hitSort), ['n', 'doc']);
  assert.deepEqual(fields(searchOf({ sort: ['n', '_doc'], pit }).hitSort), ['n', 'doc', 'doc']);
  assert.deepEqual(fields(searchOf({ sort: '_score', pit }).hitSort), ['score', 'doc']);
  assert.deepEqual(fields(searchOf({ sort: 'n', search_after: [1, 7], pit }).hitSort), ['n', 'doc']);
  assert.deepEqual(fields(searchOf({ sort: 'n', search_after: [1], pit }).hitSort), ['n']);
  assert.deepEqual(searchOf({ pit }).orders, null);
});

test('a sort of more than a thousand criteria, or by distances to more points, is refused', () =>
  sectionTable(
    'sort',
    [],
    [
      [
        { sort: [...new Array<string>(1024).fill('n'), { n: { unknown: 1 } }] },
        'illegal_argument_exception: Trying to sort by too many criteria. Must be less than or equal to: [1024] but ' +
          'was [1025]',
      ],
      [
        { sort: [{ _geo_distance: { where: Array.from({ length: 1001 }, () => [0, 0]) } }] },
        'illegal_argument_exception: [_geo_distance] has [1001] points, more than [1000]',
      ],
    ],
  ));
