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

test('match_phrase_prefix takes the last word for the beginning of one', () =>
  index.answers([
    [
      { match_phrase_prefix: { t: 'quick fo' } },
      { ids: ['2', '3'], scores: [1.81446, 1.46609], plan: 't:"quick fo*"' },
    ],
    [{ match_phrase_prefix: { t: { query: 'brown d' } } }, { ids: ['3'], scores: [1.15221], plan: 't:"brown d*"' }],
    [
      { match_phrase_prefix: { t: 'qui' } },
      { ids: ['2', '4', '1', '3'], scores: [0.114749, 0.114749, 0.102563, 0.0927173], plan: 't:"qui*"' },
    ],
  ]));

test('match_phrase_prefix looks at max_expansions words and allows slop', () =>
  index.finds([
    [{ match_phrase_prefix: { t: { query: 'fo', max_expansions: 1 } } }, ['1', '2', '4']],
    [{ match_phrase_prefix: { t: { query: 'quick fo', slop: 1 } } }, ['1', '2', '3']],
    [{ match_phrase_prefix: { t: 'zebra' } }, []],
    [{ match_phrase_prefix: { nowhere: 'a' } }, []],
    [{ match_phrase_prefix: { k: { query: 'a', analyzer: 'stop' } } }, []],
  ]));

test('match_phrase_prefix refuses fields without positions and options of other queries', () =>
  index.refuses([
    [
      { match_phrase_prefix: { k: 'qui' } },
      'query_shard_exception: failed to create query: Can only use phrase prefix queries on text ' +
        'fields - not on [k] which is of type [keyword] <- illegal_argument_exception: Can only use ' +
        'phrase prefix queries on text fields - not on [k] which is of type [keyword]',
    ],
    [
      { match_phrase_prefix: { n: 'x' } },
      'query_shard_exception: failed to create query: Can only use phrase prefix queries on text ' +
        'fields - not on [n] which is of type [long] <- illegal_argument_exception: Can only use ' +
        'phrase prefix queries on text fields - not on [n] which is of type [long]',
    ],
    [
      { match_phrase_prefix: { t: { query: 'a', max_expansions: -1 } } },
      'illegal_argument_exception: No negative maxExpansions allowed.',
    ],
    [
      { match_phrase_prefix: { t: { query: 'a', fuzziness: 1 } } },
      'parsing_exception: [match_phrase_prefix] query does not support [fuzziness]',
    ],
  ]));
