import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } },
  documents: [
    { k: 'a', t: 'red fox', n: 1 },
    { k: 'b', t: 'red red dog', n: 2 },
    { k: ['a', 'b'], t: 'dog', n: 3 },
    { n: 4 },
  ],
});

test('match_none finds nothing', () =>
  index.finds([
    [{ match_none: {} }, []],
    [{ match_none: { boost: 2 } }, []],
    [{ bool: { must_not: { match_none: {} } } }, ['1', '2', '3', '4']],
  ]));

test('match_none is an object', () =>
  index.refuses([
    [{ match_none: [] }, 'parsing_exception: [match_none] query malformed, no start_object after query name'],
  ]));
