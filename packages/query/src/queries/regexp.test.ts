import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } },
  documents: [{ k: 'abc', t: 'Alpha beta' }, { k: 'aBc', t: 'gamma' }, { k: 'a1', n: 1 }, { k: '17' }, { k: 'a.c' }],
  settings: { maxRegexLength: 20 },
});

test('regexp finds terms that the expression matches as a whole, each document with the score 1', () =>
  index.answers([
    [{ regexp: { k: 'a.c' } }, { ids: ['1', '2', '5'], scores: [1, 1, 1], plan: 'k:/a.c/' }],
    [{ regexp: { k: { value: '[0-9]+', boost: 2 } } }, { ids: ['4'], scores: [2], plan: '(k:/[0-9]+/)^2.0' }],
    [{ regexp: { t: 'al.*' } }, { ids: ['1'], scores: [1], plan: 't:/al.*/' }],
  ]));

test('regexp knows the operators that its flags name', () =>
  index.finds([
    [{ regexp: { k: '<10-20>' } }, ['4']],
    [{ regexp: { k: { value: '<10-20>', flags: 'NONE' } } }, []],
    [{ regexp: { k: '~(a.*)' } }, ['4']],
    [{ regexp: { k: { value: 'a\\.c' } } }, ['5']],
    [{ regexp: { k: 'a.*&.*c' } }, ['1', '2', '5']],
    [{ regexp: { k: { value: 'ABC', case_insensitive: true } } }, ['1', '2']],
    [{ regexp: { k: '@' } }, ['1', '2', '3', '4', '5']],
    [{ regexp: { k: '' } }, []],
    [{ regexp: { nowhere: 'a' } }, []],
  ]));

test('regexp refuses broken and long expressions', () =>
  index.refuses([
    [
      { regexp: { k: '(a' } },
      "query_shard_exception: failed to create query: expected ')' at position 2 <- " +
        "illegal_argument_exception: expected ')' at position 2",
    ],
    [
      { regexp: { k: '[a' } },
      "query_shard_exception: failed to create query: expected ']' at position 2 <- " +
        "illegal_argument_exception: expected ']' at position 2",
    ],
    [
      { regexp: { k: 'a{2,1}' } },
      'query_shard_exception: failed to create query: invalid repetition range(out of order): 2..1 <- ' +
        'illegal_argument_exception: invalid repetition range(out of order): 2..1',
    ],
    [
      { regexp: { k: 'aaaaaaaaaaaaaaaaaaaaa' } },
      'query_shard_exception: failed to create query: The length of regex [21] used in the Regexp Query ' +
        'request has exceeded the allowed maximum of [20]. This maximum can be set by changing the ' +
        '[index.max_regex_length] index level setting. <- illegal_argument_exception: The length of regex ' +
        '[21] used in the Regexp Query request has exceeded the allowed maximum of [20]. This maximum can ' +
        'be set by changing the [index.max_regex_length] index level setting.',
    ],
    [
      { regexp: { n: '1' } },
      'query_shard_exception: Can only use regexp queries on keyword and text fields - not on [n] which ' +
        'is of type [long]',
    ],
    [{ regexp: { k: { value: 'a', flags: 'MANY' } } }, 'illegal_argument_exception: Unknown regexp flag [MANY]'],
    [{ regexp: { k: {} } }, 'illegal_argument_exception: value cannot be null'],
    [
      { regexp: { k: 'a', t: 'b' } },
      "parsing_exception: [regexp] query doesn't support multiple fields, found [k] and [t]",
    ],
  ]));
