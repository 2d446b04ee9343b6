import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeQuery } from '../../describe.js';
import { planQuery } from '../../plan-query.js';
import { memoryIndex } from '../../testing/memory-index.js';
import { searchOf, sectionTable } from '../../testing/section-table.js';

const term = (value: string) => ({ query: { term: { k: value } } });

test('the query of a search is any of its sub searches', async () => {
  const index = memoryIndex({ mapping: { k: { type: 'keyword' } }, documents: [{ k: 'a' }] });
  const searcher = await index.searcher([[0]]);
  const search = searchOf({ sub_searches: [term('a'), term('b')] });
  assert.equal(search.subSearches.length, 2);
  const plan = planQuery(search.query!, { searcher, now: () => 0, nestedPath: null, innerHits: [] });
  assert.equal(describeQuery(plan, index.mapping), 'k:a k:b');
});

test('sub searches that are none are refused', () => {
  sectionTable(
    'subSearches',
    [
      [{}, []],
      [{ sub_searches: [] }, []],
    ],
    [
      [
        { query: { match_all: {} }, sub_searches: [term('a')] },
        'illegal_argument_exception: cannot specify field [query] and field [sub_searches]',
      ],
      [{ sub_searches: [1] }, 'parsing_exception: malformed query within the [sub_searches] field; found VALUE_NUMBER'],
      [{ sub_searches: [{ a: 1 }] }, 'x_content_parse_exception: [sub_searches] unknown field [a]'],
      [{ sub_searches: [{}] }, 'illegal_argument_exception: Required [query]'],
    ],
  );
});
