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

test('wrapper runs the query that its text encodes', () =>
  index.answers([
    [{ wrapper: { query: 'eyJ0ZXJtIjp7InQiOiJmb3gifX0=' } }, { ids: ['1'], scores: [0.980829] }],
    [
      { wrapper: { query: 'eyJtYXRjaF9hbGwiOnsiYm9vc3QiOjJ9fQ==' } },
      { ids: ['1', '2', '3', '4'], scores: [2, 2, 2, 2] },
    ],
  ]));

test('wrapper refuses texts that are no queries', () =>
  index.refuses([
    [{ wrapper: {} }, 'parsing_exception: [wrapper] query malformed'],
    [
      { wrapper: { query: 'eyJtYWdpYyI6e319' } },
      'parsing_exception: unknown query [magic] <- named_object_not_found_exception: unknown field [magic]',
    ],
    [{ wrapper: { text: 'x' } }, 'parsing_exception: [wrapper] query malformed, expected `query` but was text'],
  ]));
