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

test('boosting multiplies the scores of documents that match the negative query', () =>
  index.answers([
    [
      { boosting: { positive: { term: { t: 'red' } }, negative: { term: { k: 'b' } }, negative_boost: 0.5 } },
      { ids: ['1', '2'], scores: [0.470004, 0.28329] },
    ],
    [
      { boosting: { positive: { term: { t: 'red' } }, negative: { term: { k: 'z' } }, negative_boost: 0.1 } },
      { ids: ['2', '1'], scores: [0.56658, 0.470004] },
    ],
    [
      { boosting: { positive: { match_all: {} }, negative: { term: { k: 'a' } }, negative_boost: 0, boost: 4 } },
      { ids: ['2', '4', '1', '3'], scores: [4, 4, 0, 0] },
    ],
  ]));

test('boosting prints as the scores are made', () =>
  index.answers([
    [
      { boosting: { positive: { term: { t: 'red' } }, negative: { term: { k: 'b' } }, negative_boost: 0.5 } },
      {
        ids: ['1', '2'],
        scores: [0.470004, 0.28329],
        plan: 'FunctionScoreQuery(t:red, scored by boost(queryboost(score(k:b))^0.5))',
      },
    ],
  ]));

test('boosting needs both queries and the factor', () =>
  index.refuses([
    [
      { boosting: { negative: { term: { k: 'b' } }, negative_boost: 0.5 } },
      "parsing_exception: [boosting] query requires 'positive' query to be set'",
    ],
    [
      { boosting: { positive: { term: { k: 'b' } }, negative_boost: 0.5 } },
      "parsing_exception: [boosting] query requires 'negative' query to be set'",
    ],
    [
      { boosting: { positive: { term: { k: 'a' } }, negative: { term: { k: 'b' } } } },
      "parsing_exception: [boosting] query requires 'negative_boost' to be set to be a positive value'",
    ],
    [
      { boosting: { positive: { term: { k: 'a' } }, negative: { term: { k: 'b' } }, negative_boost: -1 } },
      "parsing_exception: [boosting] query requires 'negative_boost' to be set to be a positive value'",
    ],
    [
      { boosting: { positive: { term: { k: 'a' } }, positives: 1 } },
      'parsing_exception: [boosting] query does not support [positives]',
    ],
  ]));
