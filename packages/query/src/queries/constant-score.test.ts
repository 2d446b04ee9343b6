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

test('constant_score gives each match of the filter the boost', () =>
  index.answers([
    [
      { constant_score: { filter: { term: { t: 'red' } } } },
      { ids: ['1', '2'], scores: [1, 1], plan: 'ConstantScore(t:red)' },
    ],
    [
      { constant_score: { filter: { term: { t: 'dog' } }, boost: 1.5 } },
      { ids: ['2', '3'], scores: [1.5, 1.5], plan: '(ConstantScore(t:dog))^1.5' },
    ],
    [
      { constant_score: { filter: { bool: { must: { term: { k: 'a' } }, must_not: { term: { t: 'fox' } } } } } },
      { ids: ['3'], scores: [1], plan: 'ConstantScore(+k:a -t:fox)' },
    ],
    [{ constant_score: { filter: { term: { t: 'none' } } } }, { ids: [], scores: [], plan: 'ConstantScore(t:none)' }],
  ]));

test('constant_score needs one filter', () =>
  index.refuses([
    [{ constant_score: {} }, "parsing_exception: [constant_score] requires a 'filter' element"],
    [{ constant_score: { boost: 2 } }, "parsing_exception: [constant_score] requires a 'filter' element"],
    [
      { constant_score: { query: { term: { k: 'a' } } } },
      'parsing_exception: [constant_score] query does not support [query]',
    ],
  ]));
