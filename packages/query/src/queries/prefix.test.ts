import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } },
  documents: [
    { k: 'apple', t: 'Red apples', n: 1 },
    { k: ['apricot', 'fig'], t: 'dried apricots' },
    { k: 'Apple', t: 'pear' },
    { k: 'pear' },
  ],
});

test('prefix finds terms that begin with the value, each document with the score 1', () =>
  index.answers([
    [{ prefix: { k: 'ap' } }, { ids: ['1', '2'], scores: [1, 1], plan: 'k:ap*' }],
    [{ prefix: { k: { value: 'ap', boost: 2.5 } } }, { ids: ['1', '2'], scores: [2.5, 2.5], plan: '(k:ap*)^2.5' }],
    [{ prefix: { t: { value: 'apr' } } }, { ids: ['2'], scores: [1], plan: 't:apr*' }],
  ]));

test('prefix compares with terms as they are indexed, unless case is ignored', () =>
  index.finds([
    [{ prefix: { k: 'Ap' } }, ['3']],
    [{ prefix: { t: 'RE' } }, []],
    [{ prefix: { nowhere: 'ap' } }, []],
    [{ prefix: { k: { value: 'AP', case_insensitive: true } } }, ['1', '2', '3']],
    [{ prefix: { k: '' } }, ['1', '2', '3', '4']],
    [{ prefix: { k: 'apz' } }, []],
    [{ prefix: { _index: 'fix' } }, ['1', '2', '3', '4']],
  ]));

test('prefix scores by the rewrite method that was asked for', () =>
  index.answers([
    [
      { prefix: { k: { value: 'a', rewrite: 'scoring_boolean' } } },
      { ids: ['1', '2'], scores: [1.31126, 1.31126], plan: 'k:a*' },
    ],
    [{ prefix: { k: { value: 'a', rewrite: 'top_terms_1' } } }, { ids: ['1'], scores: [1.31126], plan: 'k:a*' }],
    [{ prefix: { k: { value: 'a', rewrite: 'constant_score' } } }, { ids: ['1', '2'], scores: [1, 1], plan: 'k:a*' }],
  ]));

test('prefix refuses fields without terms and unknown options', () =>
  index.refuses([
    [
      { prefix: { n: '1' } },
      'query_shard_exception: Can only use prefix queries on keyword, text and wildcard fields - not on ' +
        '[n] which is of type [long]',
    ],
    [
      { prefix: { k: { value: 'a', rewrite: 'none' } } },
      'query_shard_exception: failed to create query: Failed to parse rewrite_method [none] <- ' +
        'illegal_argument_exception: Failed to parse rewrite_method [none]',
    ],
    [{ prefix: { k: {} } }, 'illegal_argument_exception: value cannot be null'],
    [{ prefix: { k: { value: 'a', flags: 1 } } }, 'parsing_exception: [prefix] query does not support [flags]'],
    [
      { prefix: { k: 'a', t: 'b' } },
      "parsing_exception: [prefix] query doesn't support multiple fields, found [k] and [t]",
    ],
    [{ prefix: { k: ['a'] } }, "illegal_state_exception: Can't get text on a START_ARRAY"],
  ]));
