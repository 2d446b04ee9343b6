import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const mapping = { j: { type: 'join', relations: { q: ['a', 'c'] } }, k: { type: 'keyword' } };
const index = await searchFixture({
  mapping,
  routing: '1',
  documents: [
    { j: 'q' },
    { j: { name: 'a', parent: '1' } },
    { j: { name: 'c', parent: '1' } },
    { j: { name: 'a', parent: '2' } },
  ],
});
const plain = await searchFixture({ mapping: { k: { type: 'keyword' } }, documents: [{ k: 'x' }] });

test('parent_id finds the children of one parent, scored by how rare its id is', () =>
  index.answers([
    [{ parent_id: { type: 'a', id: '1' } }, { ids: ['2'], scores: [0.356675], plan: '+j#q:1 #j:a' }],
    [{ parent_id: { type: 'a', id: 9 } }, { ids: [], scores: [] }],
  ]));

test('parent_id refuses what 8.12 does', () => {
  index.refuses([
    [{ parent_id: { id: '1' } }, "illegal_argument_exception: [parent_id] requires 'type' field"],
    [{ parent_id: { type: 'a' } }, "illegal_argument_exception: [parent_id] requires 'id' field"],
    [{ parent_id: { type: 'a', id: '1', x: 1 } }, 'parsing_exception: [parent_id] query does not support [x]'],
    [{ parent_id: { type: 'q', id: '1' } }, 'query_shard_exception: [parent_id] no relation found for child [q]'],
  ]);
  plain.refuses([
    [
      { parent_id: { type: 'q', id: '1' } },
      'query_shard_exception: [parent_id] no join field found for index [fixture]',
    ],
  ]);
  plain.finds([[{ parent_id: { type: 'q', id: '1', ignore_unmapped: true } }, []]]);
});
