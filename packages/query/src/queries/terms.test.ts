import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' }, f: { type: 'double' } },
  documents: [
    { k: 'a', t: 'one two', n: 1, f: 0.5 },
    { k: ['b', 'c'], t: 'two three', n: [1, 2] },
    { k: 'd', t: 'Four', f: 2 },
    {},
  ],
  settings: { maxTermsCount: 3 },
});

test('terms finds documents with any of the values, each with the score 1', () =>
  index.answers([
    [{ terms: { k: ['a', 'c'] } }, { ids: ['1', '2'], scores: [1, 1], plan: 'k:(a c)' }],
    [{ terms: { k: ['d'], boost: 4 } }, { ids: ['3'], scores: [4], plan: '(k:(d))^4.0' }],
  ]));

test('terms compares with indexed values', () =>
  index.finds([
    [{ terms: { n: [2, '1'] } }, ['1', '2']],
    [{ terms: { f: [0.5, 2] } }, ['1', '3']],
    [{ terms: { t: ['two', 'Four'] } }, ['1', '2']],
    [{ terms: { n: [1.5] } }, []],
    [{ terms: { k: [] } }, []],
    [{ terms: { nowhere: ['a'] } }, []],
    [{ terms: { _id: ['1', '3', '9'] } }, ['1', '3']],
  ]));

test('terms refuses nulls, several fields and more values than index.max_terms_count', () =>
  index.refuses([
    [{ terms: { k: [null] } }, 'parsing_exception: No value specified for terms query'],
    [{ terms: { k: ['a'], n: [1] } }, 'parsing_exception: [terms] query does not support multiple fields'],
    [{ terms: { k: 'a' } }, 'parsing_exception: [terms] query does not support [k]'],
    [
      { terms: {} },
      'parsing_exception: [terms] query requires a field name, followed by array of terms or a ' +
        'document lookup specification',
    ],
    [{ terms: { k: { index: 'x' } } }, 'illegal_argument_exception: Required [id, path]'],
    [
      { terms: { k: ['a', 'b', 'c', 'd'] } },
      'query_shard_exception: failed to create query: The number of terms [4] used in the Terms ' +
        'Query request has exceeded the allowed maximum of [3]. This maximum can be set by changing ' +
        'the [index.max_terms_count] index level setting. <- illegal_argument_exception: The number ' +
        'of terms [4] used in the Terms Query request has exceeded the allowed maximum of [3]. This ' +
        'maximum can be set by changing the [index.max_terms_count] index level setting.',
    ],
    [
      { terms: { n: ['x'] } },
      'query_shard_exception: failed to create query: For input string: "x" <- ' +
        'number_format_exception: For input string: "x"',
    ],
  ]));

const addresses = await searchFixture({ mapping: { ip: { type: 'ip' } }, documents: [{ ip: '10.0.0.1' }] });

test('addresses are told in full', () =>
  addresses.answers([
    [
      { terms: { ip: ['2001:db8::ff', '10.0.0.1', '::1', '::'] } },
      { ids: ['1'], scores: [1], plan: 'ip:{0:0:0:0:0:0:0:0 0:0:0:0:0:0:0:1 10.0.0.1 2001:db8:0:0:0:0:0:ff}' },
    ],
  ]));

test('a million values are refused by their number, before any is read', () => {
  const tooMany =
    'The number of terms [1000000] used in the Terms Query request has exceeded the allowed maximum of [3]. This ' +
    'maximum can be set by changing the [index.max_terms_count] index level setting.';
  return index.refuses([
    [
      { terms: { n: Array.from({ length: 1_000_000 }, () => 'x') } },
      `query_shard_exception: failed to create query: ${tooMany} <- illegal_argument_exception: ${tooMany}`,
    ],
  ]);
});

test('what follows an array among the values is read as if it came after them', () =>
  index.refuses([
    [{ terms: { n: [['b'], -5] } }, 'parsing_exception: [terms] query does not support [n]'],
    [{ terms: { n: [['b'], ['c']] } }, 'parsing_exception: [terms] query does not support multiple fields'],
    [{ terms: { n: [5, ['b']] } }, 'parsing_exception: [terms] unknown token [END_ARRAY] after [n]'],
    [{ terms: { n: [['b'], null] } }, 'parsing_exception: [terms] unknown token [VALUE_NULL] after [n]'],
    [{ terms: { n: [[null]] } }, 'parsing_exception: No value specified for terms query'],
    [
      { terms: { n: [{}] } },
      'query_shard_exception: failed to create query: For input string: "{" <- number_format_exception: For input ' +
        'string: "{"',
    ],
  ]));
