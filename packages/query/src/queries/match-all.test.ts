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

test('match_all finds all documents with the boost as score', () =>
  index.answers([
    [{ match_all: {} }, { ids: ['1', '2', '3', '4'], scores: [1, 1, 1, 1], plan: '*:*' }],
    [{ match_all: { boost: 1.2 } }, { ids: ['1', '2', '3', '4'], scores: [1.2, 1.2, 1.2, 1.2], plan: '(*:*)^1.2' }],
  ]));

test('match_all is an object', () =>
  index.refuses([
    [{ match_all: [] }, 'parsing_exception: [match_all] query malformed, no start_object after query name'],
  ]));
