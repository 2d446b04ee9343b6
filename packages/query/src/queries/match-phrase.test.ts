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

test('match_phrase finds words one after the other', () =>
  index.answers([
    [{ match_phrase: { t: 'quick brown' } }, { ids: ['1'], scores: [0.205127], plan: 't:"quick brown"' }],
    [
      { match_phrase: { t: { query: 'brown fox', boost: 1 } } },
      { ids: ['4', '1'], scores: [0.503207, 0.449769], plan: 't:"brown fox"' },
    ],
    [{ match_phrase: { t: 'fox' } }, { ids: ['2', '4', '1'], scores: [0.388458, 0.388458, 0.347206], plan: 't:fox' }],
    [{ match_phrase: { k: 'quick' } }, { ids: ['3'], scores: [0.693147], plan: 'k:quick' }],
  ]));

test('match_phrase allows moves by slop, less close ones score less', () =>
  index.answers([
    [
      { match_phrase: { t: { query: 'quick fox', slop: 1 } } },
      { ids: ['2', '1'], scores: [0.503207, 0.288772], plan: 't:"quick fox"~1' },
    ],
    [
      { match_phrase: { t: { query: 'brown quick', slop: 3 } } },
      { ids: ['1', '2', '3'], scores: [0.0969846, 0.0912571, 0.0842884], plan: 't:"brown quick"~3' },
    ],
  ]));

test('match_phrase does not reach from one value of a field to the next', () =>
  index.finds([
    [{ match_phrase: { t: 'quick brown fox' } }, ['1']],
    [{ match_phrase: { t: { query: 'quick brown', slop: 101 } } }, ['1', '2', '3', '4']],
  ]));

test('match_phrase leaves gaps where the analyser leaves words out', () =>
  index.answers([
    [
      { match_phrase: { t: { query: 'dog the quick', analyzer: 'stop' } } },
      { ids: ['3'], scores: [1.15221], plan: 't:"dog ? quick"' },
    ],
    [
      { match_phrase: { t: { query: 'the', analyzer: 'stop', zero_terms_query: 'all' } } },
      { ids: ['1', '2', '3', '4'], scores: [1, 1, 1, 1], plan: '*:*' },
    ],
    [
      { match_phrase: { t: { query: 'the', analyzer: 'stop' } } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("Matching no documents because no terms present")' },
    ],
  ]));

test('match_phrase refuses options of other queries', () =>
  index.refuses([
    [
      { match_phrase: { t: { query: 'a', operator: 'and' } } },
      'parsing_exception: [match_phrase] query does not support [operator]',
    ],
    [{ match_phrase: { t: { query: 'a', slop: -1 } } }, 'illegal_argument_exception: No negative slop allowed.'],
    [
      { match_phrase: { t: 'a', u: 'b' } },
      "parsing_exception: [match_phrase] query doesn't support multiple fields, found [t] and [u]",
    ],
    [
      { match_phrase: { n: 'x' } },
      'query_shard_exception: failed to create query: For input string: "x" <- ' +
        'number_format_exception: For input string: "x"',
    ],
    [
      { match_phrase: { t: { query: 'a', analyzer: 'none' } } },
      'query_shard_exception: [match_phrase] analyzer [none] not found',
    ],
  ]));
