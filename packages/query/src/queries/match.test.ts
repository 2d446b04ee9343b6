import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' }, s: { type: 'text', analyzer: 'stop' } },
  documents: [
    { t: 'quick brown fox', k: 'Big Fox', n: 1, s: 'the fox' },
    { t: 'quick quick dog', n: 2 },
    { t: 'lazy brown dog jumps', n: 3 },
    { t: 'foxes', k: 'fox' },
  ],
  deleted: [],
});

test('match scores the words of a text by BM25, any of them is enough', () =>
  index.answers([
    [{ match: { t: 'Quick fox' } }, { ids: ['1', '2'], scores: [1.8291, 0.929316], plan: 't:quick t:fox' }],
    [{ match: { t: { query: 'dog', boost: 3 } } }, { ids: ['2', '3'], scores: [2.00488, 1.7534], plan: '(t:dog)^3.0' }],
    [{ match: { t: 'brown, brown' } }, { ids: ['1', '3'], scores: [1.33659, 1.16893], plan: 't:brown t:brown' }],
    [{ match: { nowhere: 'x' } }, { ids: [], scores: [], plan: 'MatchNoDocsQuery("unmapped fields [nowhere]")' }],
  ]));

test('match joins words by operator and minimum_should_match', () =>
  index.answers([
    [
      { match: { t: { query: 'quick fox', operator: 'and' } } },
      { ids: ['1'], scores: [1.8291], plan: '+t:quick +t:fox' },
    ],
    [
      { match: { t: { query: 'quick brown dog', minimum_should_match: 2 } } },
      { ids: ['2', '1', '3'], scores: [1.59761, 1.33659, 1.16893], plan: '(t:quick t:brown t:dog)~2' },
    ],
    [
      { match: { t: { query: 'quick brown dog', minimum_should_match: '-34%' } } },
      { ids: ['2', '1', '3'], scores: [1.59761, 1.33659, 1.16893], plan: '(t:quick t:brown t:dog)~2' },
    ],
  ]));

test('with operator and there are no optional words, so that a minimum of them is never reached', () =>
  index.finds([
    [{ match: { t: { query: 'quick fox', operator: 'and', minimum_should_match: 1 } } }, []],
    [{ match: { t: { query: 'quick fox', operator: 'and', minimum_should_match: '50%' } } }, ['1']],
    [{ match: { t: { query: 'quick', operator: 'and', minimum_should_match: 2 } } }, ['1', '2']],
  ]));

test('match on a field that is not analysed looks for the value', () =>
  index.answers([
    [{ match: { k: 'Big Fox' } }, { ids: ['1'], scores: [0.693147], plan: 'k:Big Fox' }],
    [{ match: { k: 'big fox' } }, { ids: [], scores: [], plan: 'k:big fox' }],
    [{ match: { n: '2' } }, { ids: ['2'], scores: [1], plan: 'n:[2 TO 2]' }],
  ]));

test('match finds words within the edit distance, less alike ones with a smaller score', () =>
  index.answers([
    [{ match: { t: { query: 'foxy', fuzziness: 1 } } }, { ids: ['1'], scores: [0.773868], plan: 't:foxy~1' }],
    [
      { match: { t: { query: 'qiuck', fuzziness: 'AUTO' } } },
      { ids: ['2', '1'], scores: [0.743453, 0.534635], plan: 't:qiuck~1' },
    ],
    [
      { match: { t: { query: 'qiuck', fuzziness: 1, fuzzy_transpositions: false } } },
      { ids: [], scores: [], plan: 't:qiuck~1' },
    ],
    [{ match: { t: { query: 'juick', fuzziness: 1, prefix_length: 1 } } }, { ids: [], scores: [], plan: 't:juick~1' }],
  ]));

test('match decides by zero_terms_query when the analyser leaves no word', () =>
  index.answers([
    [
      { match: { s: 'the' } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("Matching no documents because no terms present")' },
    ],
    [
      { match: { s: { query: 'the', zero_terms_query: 'all' } } },
      { ids: ['1', '2', '3', '4'], scores: [1, 1, 1, 1], plan: '*:*' },
    ],
    [{ match: { t: { query: 'the fox', analyzer: 'stop' } } }, { ids: ['1'], scores: [1.1608], plan: 't:fox' }],
  ]));

test('match refuses values that the field does not take, unless it is lenient', () =>
  index.refuses([
    [
      { match: { n: 'two' } },
      'query_shard_exception: failed to create query: For input string: "two" <- ' +
        'number_format_exception: For input string: "two"',
    ],
    [
      { match: { t: { query: 'x', operator: 'xor' } } },
      'illegal_argument_exception: No enum constant org.elasticsearch.index.query.Operator.XOR',
    ],
    [{ match: { t: { query: 'x', analyzer: 'none' } } }, 'query_shard_exception: [match] analyzer [none] not found'],
    [
      { match: { t: { query: 'x', zero_terms_query: 'some' } } },
      'parsing_exception: Unsupported zero_terms_query value [some]',
    ],
    [{ match: { t: {} } }, 'parsing_exception: No text specified for text query'],
    [{ match: {} }, 'parsing_exception: No text specified for text query'],
    [{ match: { t: ['x'] } }, "illegal_state_exception: Can't get text on a START_ARRAY"],
    [
      { match: { t: 'x', k: 'y' } },
      "parsing_exception: [match] query doesn't support multiple fields, found [t] and [k]",
    ],
    [{ match: { t: { query: 'x', slop: 1 } } }, 'parsing_exception: [match] query does not support [slop]'],
  ]));

test('match takes no document for a value that does not parse when it is lenient', () =>
  index.answers([
    [
      { match: { n: { query: 'two', lenient: true } } },
      {
        ids: [],
        scores: [],
        plan: 'MatchNoDocsQuery("failed [n] query, caused by number_format_exception:[For input string: "two"]")',
      },
    ],
  ]));
