import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers and errors are those of OpenSearch 2.19's module parent-join. */
const index = await searchFixture({
  mapping: { j: { type: 'join', relations: { q: ['a', 'c'], a: 'v' } }, t: { type: 'text' } },
  routing: '1',
  documents: [
    { t: 'one fox', j: 'q' },
    { t: 'two', j: 'q' },
    { j: { name: 'a', parent: '1' } },
    { j: { name: 'a', parent: '2' } },
    { j: { name: 'c', parent: '1' } },
    { j: { name: 'v', parent: '3' } },
  ],
});

const fox = { match: { t: 'fox' } };
const parent = (options: object, type = 'q'): object => ({
  has_parent: { parent_type: type, query: fox, ...options },
});

test('has_parent finds the children of matching parents', () =>
  index.answers([
    [parent({}), { ids: ['3', '5'], scores: [1, 1], plan: 'LateParsingQuery {joinField=j#q}' }],
    [parent({ score: true, boost: 2 }), { ids: ['3', '5'], scores: [1.21994, 1.21994] }],
    [parent({ query: parent({}) }, 'a'), { ids: ['6'], scores: [1] }],
  ]));

test('has_parent refuses what 8.12 does', () =>
  index.refuses([
    [{ has_parent: { query: fox } }, "illegal_argument_exception: [has_parent] requires 'parent_type' field"],
    [{ has_parent: { parent_type: 'q' } }, "illegal_argument_exception: [has_parent] requires 'query' field"],
    [parent({ x: 1 }), 'parsing_exception: [has_parent] query does not support [x]'],
    [parent({}, 'v'), "query_shard_exception: [has_parent] join field [j] doesn't hold [v] as a parent"],
  ]));

test('has_parent without the relation matches nothing with ignore_unmapped', () =>
  index.finds([[parent({ ignore_unmapped: true }, 'v'), []]]));
