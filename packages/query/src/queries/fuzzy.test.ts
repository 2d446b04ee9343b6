import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } },
  documents: [
    { k: 'kitten', t: 'quick fox' },
    { k: 'mitten', t: 'quack' },
    { k: 'sitting', t: 'fox fix' },
    { k: 'ab', n: 1 },
  ],
});

test('fuzzy scores terms within the edit distance, less alike ones less', () =>
  index.answers([
    [{ fuzzy: { k: 'kitten' } }, { ids: ['1', '2'], scores: [1.20397, 1.00331], plan: 'k:kitten~2' }],
    [
      { fuzzy: { t: { value: 'fox', fuzziness: 1 } } },
      { ids: ['3', '1'], scores: [0.724095, 0.434457], plan: 't:fox~1' },
    ],
    [
      { fuzzy: { k: { value: 'bitten', rewrite: 'constant_score', boost: 2 } } },
      { ids: ['1', '2'], scores: [2, 2], plan: '(k:bitten~2)^2.0' },
    ],
  ]));

test('fuzzy allows edits by the length of the value unless told how many', () =>
  index.finds([
    [{ fuzzy: { k: 'ba' } }, []],
    [{ fuzzy: { k: { value: 'ba', fuzziness: 1 } } }, ['4']],
    [{ fuzzy: { k: { value: 'ba', fuzziness: 1, transpositions: false } } }, []],
    [{ fuzzy: { k: { value: 'sittin', fuzziness: 'AUTO:2,9' } } }, ['3']],
    [{ fuzzy: { k: { value: 'kitting', fuzziness: 2 } } }, ['1', '3']],
  ]));

test('fuzzy keeps a prefix and scores as many of the nearest terms as max_expansions says', () =>
  index.finds([
    [{ fuzzy: { k: { value: 'bitten', prefix_length: 1 } } }, []],
    [{ fuzzy: { t: { value: 'quock', prefix_length: 2 } } }, ['1', '2']],
    [{ fuzzy: { k: { value: 'kitten', max_expansions: 1 } } }, ['1']],
    [{ fuzzy: { nowhere: 'a' } }, []],
  ]));

test('fuzzy refuses fields without terms and distances beyond two', () =>
  index.refuses([
    [
      { fuzzy: { n: 1 } },
      'query_shard_exception: failed to create query: Can only use fuzzy queries on keyword and text ' +
        'fields - not on [n] which is of type [long] <- illegal_argument_exception: Can only use fuzzy ' +
        'queries on keyword and text fields - not on [n] which is of type [long]',
    ],
    [
      { fuzzy: { k: { value: 'a', fuzziness: 3 } } },
      'illegal_argument_exception: Valid edit distances are [0, 1, 2] but was [3]',
    ],
    [
      { fuzzy: { k: { value: 'a', fuzziness: 'x' } } },
      'illegal_argument_exception: fuzziness cannot be [x]. <- number_format_exception: For input string: "X"',
    ],
    [{ fuzzy: { k: {} } }, 'illegal_argument_exception: query value cannot be null'],
    [{ fuzzy: { k: ['a'] } }, "parsing_exception: [fuzzy] query doesn't support multiple fields, found [k] and [null]"],
    [
      { fuzzy: { k: { value: 'abc', rewrite: 'x' } } },
      'query_shard_exception: failed to create query: Failed to parse rewrite_method [x] <- ' +
        'illegal_argument_exception: Failed to parse rewrite_method [x]',
    ],
    [
      { fuzzy: { k: 'a', t: 'b' } },
      "parsing_exception: [fuzzy] query doesn't support multiple fields, found [k] and [t]",
    ],
  ]));

test('fuzzy of a text that no term is as long as is refused', () =>
  index.refuses([
    [
      { fuzzy: { k: { value: 'k'.repeat(100_000) } } },
      'query_shard_exception: failed to create query: Term is longer than maximum indexable length, term starting ' +
        'with [kkkkkkkkkk <- illegal_argument_exception: Term is longer than maximum indexable length, term starting ' +
        'with [kkkkkkkkkk',
    ],
  ]));

test('a term that differs more than it is long scores 0', async () => {
  const short = await searchFixture({ mapping: { t: { type: 'text' } }, documents: [{ t: 'a' }, { t: 'abd' }] });
  short.answers([[{ fuzzy: { t: { value: 'abd', fuzziness: 2 } } }, { ids: ['2', '1'], scores: [0.693147, 0] }]]);
});
