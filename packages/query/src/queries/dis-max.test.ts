import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
  ],
});

test('dis_max takes the score of the best query, and a share of the others', () =>
  index.answers([
    [
      { dis_max: { queries: [{ term: { t: 'fox' } }, { term: { u: 'fox' } }] } },
      { ids: ['1', '2', '4'], scores: [1.09257, 0.388458, 0.388458], plan: '(t:fox | u:fox)' },
    ],
    [
      { dis_max: { queries: [{ term: { t: 'fox' } }, { term: { u: 'fox' } }], tie_breaker: 0.5 } },
      { ids: ['1', '2', '4'], scores: [1.26617, 0.388458, 0.388458], plan: '(t:fox | u:fox)~0.5' },
    ],
    [
      { dis_max: { queries: [{ term: { t: 'dog' } }, { term: { t: 'none' } }], boost: 2 } },
      { ids: ['3'], scores: [2.11899], plan: '((t:dog | t:none))^2.0' },
    ],
    [{ dis_max: { queries: { match_all: {} } } }, { ids: ['1', '2', '3', '4'], scores: [1, 1, 1, 1], plan: '(*:*)' }],
  ]));

test('dis_max without queries is refused', () =>
  index.refuses([
    [{ dis_max: {} }, "parsing_exception: [dis_max] requires 'queries' field with at least one clause"],
    [{ dis_max: { queries: -1 } }, 'parsing_exception: [dis_max] query does not support [queries]'],
    [{ dis_max: { queries: [{}] } }, 'illegal_argument_exception: query malformed, empty clause found'],
    [
      { dis_max: { queries: [{ magic: {} }] } },
      'parsing_exception: unknown query [magic] <- named_object_not_found_exception: unknown field [magic]',
    ],
  ]));
