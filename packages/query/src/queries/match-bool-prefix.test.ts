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

test('match_bool_prefix looks for the words, and for the last one as a prefix', () =>
  index.answers([
    [
      { match_bool_prefix: { t: 'dog fo' } },
      { ids: ['3', '1', '2', '4'], scores: [2.0595, 1, 1, 1], plan: 't:dog t:fo*' },
    ],
    [{ match_bool_prefix: { t: 'qui' } }, { ids: ['1', '2', '3', '4'], scores: [1, 1, 1, 1], plan: 't:qui*' }],
    [
      { match_bool_prefix: { t: { query: 'brown do', operator: 'and' } } },
      { ids: ['3'], scores: [1.09272], plan: '+t:brown +t:do*' },
    ],
    [
      { match_bool_prefix: { t: { query: 'quick brown an', minimum_should_match: 3 } } },
      { ids: ['3'], scores: [1.18543], plan: '(t:quick t:brown t:an*)~3' },
    ],
  ]));

test('match_bool_prefix finds words that are misspelt when fuzziness is given', () =>
  index.finds([
    [{ match_bool_prefix: { t: { query: 'qiuck fo', fuzziness: 1, operator: 'and' } } }, ['1', '2', '3', '4']],
    [{ match_bool_prefix: { k: 'qu' } }, ['3']],
    [{ match_bool_prefix: { nowhere: 'a' } }, []],
  ]));

test('match_bool_prefix refuses options of other queries', () =>
  index.refuses([
    [
      { match_bool_prefix: { t: { query: 'a', slop: 1 } } },
      'parsing_exception: [match_bool_prefix] query does not support [slop]',
    ],
    [
      { match_bool_prefix: { t: { query: 'a', operator: 'none' } } },
      'illegal_argument_exception: No enum constant org.elasticsearch.index.query.Operator.NONE',
    ],
    [
      { match_bool_prefix: { n: '1 2' } },
      'query_shard_exception: failed to create query: For input string: "1 2" <- ' +
        'number_format_exception: For input string: "1 2"',
    ],
  ]));
