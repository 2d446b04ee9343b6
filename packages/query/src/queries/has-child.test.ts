import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers and errors are those of OpenSearch 2.19's module parent-join, words where both differ those of 8.12. */
const index = await searchFixture({
  mapping: {
    j: { type: 'join', relations: { q: ['a', 'c'], a: 'v' } },
    n: { type: 'integer' },
    t: { type: 'text' },
  },
  routing: '1',
  documents: [
    { t: 'one fox', j: 'q' },
    { t: 'two', j: { name: 'q' } },
    { n: 3, t: 'fox', j: { name: 'a', parent: '1' } },
    { n: 4, t: 'fox fox', j: { name: 'a', parent: '1' } },
    { n: 5, j: { name: 'a', parent: 2 } },
    { n: 6, j: { name: 'c', parent: '1' } },
    { n: 7, j: { name: 'v', parent: '3' } },
    { n: 8 },
    { n: 9, j: { name: 'a', parent: '1' } },
  ],
  deleted: ['9'],
});

const all = { match_all: {} };
const child = (options: object, type = 'a'): object => ({ has_child: { type, query: all, ...options } });

test('has_child finds the parents of matching children', () =>
  index.answers([
    [child({}), { ids: ['1', '2'], scores: [1, 1], plan: 'LateParsingQuery {joinField=j#q}' }],
    [child({ query: { term: { n: 5 } } }), { ids: ['2'], scores: [1] }],
    [child({}, 'c'), { ids: ['1'], scores: [1] }],
    [child({ query: child({}, 'v') }), { ids: ['1'], scores: [1] }],
    [child({ query: { term: { n: 9 } } }), { ids: [], scores: [] }],
    [child({ query: { match: { t: 'fox' } }, boost: 3 }), { ids: ['1'], scores: [3] }],
  ]));

test('has_child makes the score of those of the children as score_mode says', () => {
  const scored = { function_score: { query: all, field_value_factor: { field: 'n' } } };
  index.answers([
    [child({ score_mode: 'sum', query: scored }), { ids: ['1', '2'], scores: [7, 5] }],
    [child({ score_mode: 'avg', query: scored }), { ids: ['2', '1'], scores: [5, 3.5] }],
    [child({ score_mode: 'min', query: scored }), { ids: ['2', '1'], scores: [5, 3] }],
    [child({ score_mode: 'max', query: scored, boost: 2 }), { ids: ['2', '1'], scores: [10, 8] }],
    [child({ score_mode: 'avg', query: { match: { t: 'fox' } }, boost: 3 }), { ids: ['1'], scores: [1.29208] }],
  ]);
});

test('has_child counts the children that match', () =>
  index.answers([
    [child({ min_children: 2 }), { ids: ['1'], scores: [1] }],
    [child({ max_children: 1 }), { ids: ['2'], scores: [1] }],
    [child({ min_children: 2, query: { match: { t: 'fox' } }, boost: 3 }), { ids: ['1'], scores: [3] }],
  ]));

test('has_child in a clause beside others', () =>
  index.answers([
    [{ bool: { must: [{ match: { t: 'two' } }], filter: [child({})] } }, { ids: ['2'], scores: [1.39407] }],
    [{ bool: { must_not: [child({})], filter: [{ term: { j: 'q' } }] } }, { ids: [], scores: [] }],
  ]));

test('has_child refuses what 8.12 does', () =>
  index.refuses([
    [child({ min_children: 0 }), "illegal_argument_exception: [has_child] requires positive 'min_children' field"],
    [child({ max_children: 0 }), "illegal_argument_exception: [has_child] requires positive 'max_children' field"],
    [
      child({ min_children: 2, max_children: 1 }),
      "illegal_argument_exception: [has_child] 'max_children' is less than 'min_children'",
    ],
    [child({ x: 1 }), 'parsing_exception: [has_child] query does not support [x]'],
    [child({ score_mode: 'x' }), 'illegal_argument_exception: No score mode for child query [x] found'],
    [{ has_child: { query: all } }, "illegal_argument_exception: [has_child] requires 'type' field"],
    [{ has_child: { type: 'a' } }, "illegal_argument_exception: [has_child] requires 'query' field"],
    [child({}, 'q'), "query_shard_exception: [has_child] join field [j] doesn't hold [q] as a child"],
  ]));

test('has_child without the relation matches nothing with ignore_unmapped', () =>
  index.finds([[child({ ignore_unmapped: true }, 'q'), []]]));
